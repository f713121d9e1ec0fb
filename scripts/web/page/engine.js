// SPDX-License-Identifier: GPL-3.0-or-later
/* The engine in a worker made of the page's own text, so that the page also works from a disk. */
import palimpsestChoice from '../package/palimpsest-choice.js';
import { applyChanges } from './changes.js';

const textOf = id => document.getElementById(id).textContent.replaceAll('<\\/script', '</script');
const bytesOf = id => Uint8Array.from(atob(textOf(id)), c => c.charCodeAt(0));
/* The packed text in the page's element `id`. */
export const unpackText = id =>
    new Response(new Blob([bytesOf(id)]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
const urlOf = text => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));

const START = `
const applyChanges = ${applyChanges};
const unpack = async bytes => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
};
self.onmessage = async ({ data }) => {
    try {
        const wasm = await unpack(data.wasm);
        const wasmBinary = data.steps ? applyChanges(wasm, data.steps, await unpack(data.fresh)) : wasm;
        await Palimpsest.serve(self, { wasmBinary, scriptUrl: data.scriptUrl, workerUrl: data.workerUrl });
        self.postMessage('ready');
    } catch (error) {
        self.postMessage('failed ' + error);
    }
};`;

export class Engine {
    constructor() {
        this.listeners = new Set();
        this.choice = palimpsestChoice();
        this.ready = this.start().catch(error => {
            if (!this.choice.threads)
                throw error;
            this.choice = { name: 'palimpsest', threads: false, why: `threads do not work here: ${error.message}` };
            return this.start();
        });
    }

    /* Starts the chosen build. */
    async start() {
        const { name, threads } = this.choice, data = { wasm: bytesOf('wasm') };
        if (threads)
            Object.assign(data, { steps: JSON.parse(textOf('steps')), fresh: bytesOf('fresh'), scriptUrl: urlOf(textOf(name)),
                workerUrl: urlOf(textOf('pthread')) });
        this.worker = new Worker(urlOf(textOf(name) + START));
        this.failure = null;
        this.worker.onmessage = event => [...this.listeners].forEach(listener => listener(event.data));
        this.worker.onerror = event => { // also if the browser refuses the worker
            this.failure = `failed ${event.message || 'the worker cannot run'}`;
            this.worker.onmessage({ data: this.failure });
        };
        const answer = this.until(line => /^(ready$|failed )/.test(line));
        this.worker.postMessage(data);
        const line = (await answer).pop();
        if (line === 'ready')
            return;
        this.worker.terminate();
        throw new Error(line);
    }

    /* Sends a line, once the engine is ready: the worker would take an earlier one for the data to start with. */
    send(line) {
        this.ready.then(() => this.worker.postMessage(line), () => {});
    }

    /* Resolves to the lines from now on up to the first that `isLast` accepts. Rejects when the worker has failed. */
    until(isLast, onLine = () => {}) {
        return new Promise((resolve, reject) => {
            if (this.failure)
                reject(new Error(this.failure));
            const lines = [];
            const listener = line => {
                lines.push(line);
                onLine(line);
                if (isLast(line)) {
                    this.listeners.delete(listener);
                    resolve(lines);
                } else if (this.failure) {
                    this.listeners.delete(listener);
                    reject(new Error(this.failure));
                }
            };
            this.listeners.add(listener);
        });
    }

    /* Sends a line and resolves to the answer up to the first line that `isLast` accepts. Rejects when no engine could start. */
    async ask(line, isLast, onLine) {
        await this.ready;
        const answer = this.until(isLast, onLine);
        this.worker.postMessage(line);
        return answer;
    }
}

/* The fields of an `info` line with a score, or null. */
export function parseInfo(line) {
    const words = line.split(' ');
    const after = name => words.indexOf(name) < 0 ? null : Number(words[words.indexOf(name) + 1]);
    const pv = words.indexOf('pv'), wdl = words.indexOf('wdl');
    if (words[0] !== 'info' || !words.includes('score') || pv < 0)
        return null;
    return {
        depth: after('depth'), rank: after('multipv') ?? 1, cp: after('cp'), mate: after('mate'), nodes: after('nodes'),
        nps: after('nps'), isBound: words.includes('lowerbound') || words.includes('upperbound'),
        wdl: wdl < 0 ? null : words.slice(wdl + 1, wdl + 4).map(Number), pv: words.slice(pv + 1),
    };
}

/* The answer to `hash live`, with the levels as { name, total, empty, fresh, exact, lower, upper, evaluations, ages }. */
export function parseLive(line) {
    const { live } = JSON.parse(line);
    const names = live.levels.length === 1 ? ['Only level'] : ['First level', 'Second level'];
    const levels = live.levels.map((level, i) => ({ ...level, name: names[i], total: level.counted, fresh: level.ages[0] }));
    return { ...live, levels };
}
