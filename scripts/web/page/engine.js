// SPDX-License-Identifier: GPL-3.0-or-later
/* The engine in a worker made of the page's own text, so that the page also works from a disk. */
const bytesOf = id => Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));

const START = `
self.onmessage = async event => {
    const stream = new Blob([event.data]).stream().pipeThrough(new DecompressionStream('gzip'));
    const wasmBinary = await new Response(stream).arrayBuffer();
    await Palimpsest.serve(self, { wasmBinary });
    self.postMessage('ready');
};`;

export class Engine {
    constructor() {
        const text = document.getElementById('worker').textContent.replaceAll('<\\/script', '</script') + START;
        this.worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
        this.listeners = new Set();
        this.worker.onmessage = event => [...this.listeners].forEach(listener => listener(event.data));
        this.ready = this.until(line => line === 'ready');
        this.worker.postMessage(bytesOf('wasm'));
    }

    send(line) {
        this.worker.postMessage(line);
    }

    /* Resolves to the lines from now on up to the first that `isLast` accepts. */
    until(isLast, onLine = () => {}) {
        return new Promise(resolve => {
            const lines = [];
            const listener = line => {
                lines.push(line);
                onLine(line);
                if (isLast(line)) {
                    this.listeners.delete(listener);
                    resolve(lines);
                }
            };
            this.listeners.add(listener);
        });
    }

    ask(line, isLast, onLine) {
        const answer = this.until(isLast, onLine);
        this.send(line);
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
