// SPDX-License-Identifier: GPL-3.0-or-later
/* browser.js CHROMIUM PACKAGE [FOLDER]: tests the page in the folder PACKAGE in a headless Chromium: from the disk, and from
 * servers with and without the headers that allow shared memory. With FOLDER, writes pictures there. Talks to the browser
 * through a pipe, in the Chrome DevTools Protocol. */
'use strict';
const assert = require('assert');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');
const { pathToFileURL } = require('url');
const [chromium, folder, pictures] = process.argv.slice(2);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const OWN = /^(file|data|blob|about|http:\/\/127\.0\.0\.1)[:/]/; // addresses that the page may read
const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/* Serves the package with these headers, while `isOff` is false. Resolves to the address. */
const serve = (headers, isOff = () => false) => new Promise(resolve => {
    const server = http.createServer((request, response) => {
        if (isOff()) {
            request.socket.destroy();
            return;
        }
        const file = path.join(folder, path.normalize(new URL(request.url, 'http://localhost').pathname));
        fs.readFile(file, (error, content) => {
            response.writeHead(error ? 404 : 200, { 'Content-Type': TYPES[path.extname(file)] ?? 'text/plain', ...headers });
            response.end(error ? 'not found' : content);
        });
    });
    server.unref();
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
});

class Browser {
    constructor() {
        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'palimpsest-web-'));
        this.process = spawn(chromium, ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
            '--remote-debugging-pipe', '--hide-scrollbars', `--user-data-dir=${this.profile}`, 'about:blank'],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        this.calls = new Map();
        this.errors = [];
        let rest = '';
        this.process.stdio[4].on('data', data => {
            const parts = (rest + data).split('\0');
            rest = parts.pop();
            parts.forEach(part => this.receive(JSON.parse(part)));
        });
    }

    receive(message) {
        if (message.method === 'Runtime.exceptionThrown')
            this.errors.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
        if (message.method === 'Network.requestWillBeSent' && !OWN.test(message.params.request.url))
            this.errors.push(`a request to another site: ${message.params.request.url}`);
        if (message.method === 'Target.attachedToTarget') // a worker, which waits
            this.watch(message.params.sessionId);
        const call = this.calls.get(message.id);
        this.calls.delete(message.id);
        if (call)
            message.error ? call.reject(new Error(message.error.message)) : call.resolve(message.result);
    }

    send(method, params, sessionId) {
        const id = this.last = (this.last ?? 0) + 1;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
        return id;
    }

    call(method, params = {}) {
        const id = this.send(method, params, this.session);
        return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
    }

    /* Reports the requests of this page or worker, and of the workers that it starts. */
    watch(session) {
        this.send('Network.enable', {}, session);
        this.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, session);
        this.send('Runtime.runIfWaitingForDebugger', {}, session);
    }

    async open() {
        const { targetInfos } = await this.call('Target.getTargets');
        const { targetId } = targetInfos.find(target => target.type === 'page');
        this.session = (await this.call('Target.attachToTarget', { targetId, flatten: true })).sessionId;
        await this.call('Runtime.enable');
        await this.call('Page.enable');
        this.watch(this.session);
    }

    async run(expression) {
        const { result, exceptionDetails } = await this.call('Runtime.evaluate',
            { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    async until(expression, ms = 20000) {
        for (const end = Date.now() + ms; Date.now() < end; await pause(20))
            if (await this.run(expression))
                return;
        throw new Error(`not within ${ms} ms: ${expression}`);
    }

    async load(hash = '', site = pathToFileURL(path.resolve(folder)).href) {
        await this.call('Page.navigate', { url: 'about:blank' });
        await this.call('Page.navigate', { url: `${site}/page/index.html${hash}` });
        await this.until('!!document.body && !!document.body.dataset.ready');
        return Number(await this.run('document.body.dataset.ready'));
    }

    async key(key) {
        await this.call('Input.dispatchKeyEvent', { type: 'keyDown', key });
        await this.call('Input.dispatchKeyEvent', { type: 'keyUp', key });
    }

    async shot(name, width, height, scheme) {
        const features = [{ name: 'prefers-color-scheme', value: scheme }];
        await this.call('Emulation.setEmulatedMedia', { features });
        await this.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 });
        await pause(400);
        const { data } = await this.call('Page.captureScreenshot', { captureBeyondViewport: false });
        if (pictures)
            fs.writeFileSync(path.join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
        const tooWide = `[...document.querySelectorAll('body *')]
            .filter(node => !node.closest('#frame') && node.getBoundingClientRect().right > ${width} + 1)
            .map(node => node.id || node.getAttribute('class') || node.tagName).join(' ')`;
        await this.until(`${tooWide} === ''`).catch(() => {}); // on a busy machine the page changes its width later
        assert.strictEqual(await this.run(tooWide), '', `${name}: does not fit in ${width} pixels`);
        const wide = await this.run('document.documentElement.scrollWidth');
        assert(wide <= width, `${name}: ${wide} pixels wide in a window of ${width}`);
    }

    end() {
        this.process.kill();
        setTimeout(() => fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 }), 500);
    }
}

/* Clicks "Engine move". Returns after how many milliseconds the move comes. */
async function playMove(browser) {
    const count = `document.querySelectorAll('#moves li').length`, before = await browser.run(count), begin = Date.now();
    await browser.run(`${$('play')}.click()`);
    await browser.until(`${count} === ${before + 1}`);
    return Date.now() - begin;
}

/* Ends the analysis. Returns after how many milliseconds the best move comes. */
const stopAnalysis = browser => browser.run(`new Promise(resolve => {
    const begin = performance.now();
    window.palimpsest.until(line => line.startsWith('bestmove')).then(() => resolve(performance.now() - begin));
    ${$('analyse')}.click();
})`);

/* The lines up to the first that begins with `last` which the package's worker on this site answers to `lines`. */
const askWorker = (browser, lines, last) => browser.run(`new Promise((resolve, reject) => {
    const worker = new Worker('../palimpsest-worker.js'), said = [];
    worker.onerror = event => reject(new Error(event.message));
    worker.onmessage = event => {
        said.push(event.data);
        if (event.data.startsWith('${last}')) {
            worker.postMessage('quit');
            resolve(said);
        }
    };
    ${JSON.stringify(lines)}.forEach(line => worker.postMessage(line));
})`);

/* Checks that these lines are of 20 searches, in none of which the time runs backwards. */
function checkTimes(lines, count) {
    assert(lines.includes(`option name Threads type spin default 1 min 1 max ${count}`));
    assert.strictEqual(lines.filter(line => line.startsWith('bestmove')).length, 20);
    for (let i = 0, last = 0; i < lines.length; i++) {
        const time = Number(/ time (\S+)/.exec(lines[i])?.[1] ?? last);
        assert(time >= last, lines.slice(Math.max(0, i - 1), i + 1).join('\n'));
        last = lines[i].startsWith('bestmove') ? 0 : time;
    }
}

const $ = id => `document.getElementById('${id}')`;
const tests = {
    async 'loads'(browser) {
        await browser.load(); // the first time fills the browser's caches of code
        const ms = await browser.load();
        console.log(`ready after ${ms} ms`);
        assert(ms < 1000 * patience, `ready after ${ms} ms`);
        assert.strictEqual(await browser.run(`document.querySelectorAll('piece:not(.ghost)').length`), 32);
        assert((await browser.run(`${$('scheme')}.options.length`)) >= 9);
        assert.strictEqual(await browser.run(`${$('build')}.textContent`), 'One thread: the page was opened from a disk.');
    },
    async 'plays a move within two seconds'(browser) {
        const ms = await playMove(browser);
        console.log(`a move after ${ms} ms`);
        assert(ms < 2000 * patience);
        assert.match(await browser.run('location.hash'), /^#moves=[a-h]/);
    },
    async 'analyses, and stops within 100 ms'(browser) {
        await browser.run(`${$('analyse')}.click()`);
        await browser.until(`document.querySelectorAll('.line').length === 3`);
        await browser.until(`document.querySelectorAll('#tree rect').length > 3 && document.querySelectorAll('#levels .level').length === 2`);
        await pause(700);
        const ms = await stopAnalysis(browser);
        console.log(`stopped after ${ms.toFixed(1)} ms`);
        assert(ms < 100 * patience, `stopped after ${ms} ms`);
    },
    async 'shows the table while it thinks'(browser) {
        await browser.run(`window.answers = [];
            window.palimpsest.listeners.add(line => /^(bestmove|{"live")/.test(line) && window.answers.push(line));
            ${$('analyse')}.click()`);
        const state = `[...document.querySelectorAll('#levels .level em')].map(node => node.textContent).join(' ')`;
        let before = await browser.run(state);
        for (let i = 0; i < 3; i++) {
            await browser.until(`${state} !== '${before}'`, 2000 * patience);
            before = await browser.run(state);
        }
        const answers = await browser.run('window.answers'), lives = answers.filter(line => line.startsWith('{"live"'));
        assert.strictEqual(answers.filter(line => line.startsWith('bestmove')).length, 0);
        assert(lives.length >= 3 && lives.slice(-2).every(line => JSON.parse(line).live.searching));
        assert.notStrictEqual(await browser.run(`${$('known')}.textContent`), '-');
        assert((await browser.run(`document.querySelectorAll('#written .bar i').length`)) === 4);
        await browser.run(`${$('analyse')}.click()`);
        await browser.until(`window.answers[window.answers.length - 1].includes('"searching":false')`);
    },
    async 'shows another scheme'(browser) {
        for (const scheme of ['Thompson', 'New']) {
            await browser.run(`${$('hash')}.value = '1'; ${$('scheme')}.value = '${scheme}'; ${$('scheme')}.onchange()`);
            await browser.run(`${$('analyse')}.click()`);
            await pause(1500);
            const rows = scheme === 'New' ? 1 : 2;
            await browser.until(`document.querySelectorAll('#levels .level').length === ${rows}`);
            await browser.run(`${$('analyse')}.click()`);
        }
        await browser.until(`document.querySelectorAll('#curve path').length > 4`);
    },
    async 'loads a link, a FEN, a PGN, and obeys the keys'(browser) {
        await browser.load('#moves=e2e4.e7e5.g1f3&ply=3');
        await browser.key('ArrowLeft');
        await browser.until(`location.hash.endsWith('ply=2')`);
        await browser.key('Home');
        await browser.until(`location.hash.endsWith('ply=0')`);
        await browser.run(`${$('pgn')}.value = '1. d4 d5 2. c4 e6 *'; ${$('read')}.click()`);
        await browser.until(`document.querySelectorAll('#moves li').length === 4`);
        await browser.run(`${$('fen')}.value = 'nonsense'; ${$('fen')}.onchange()`);
        await browser.until(`${$('message')}.textContent.startsWith('Not understood')`);
        assert.strictEqual(await browser.run(`document.querySelectorAll('#moves li').length`), 4);
        await browser.run(`${$('fen')}.value = '6k1/5ppp/8/8/8/8/8/1R4K1 w - - 0 1'; ${$('fen')}.onchange()`);
        await browser.run(`${$('play')}.click()`);
        await browser.until(`${$('message')}.textContent === 'Checkmate'`);
    },
    async 'a faulty link gets a message and a board with the first position'(browser) {
        await browser.load('#fen=nonsense');
        assert.match(await browser.run(`${$('message')}.textContent`), /^Not understood: /);
        assert.match(await browser.run(`${$('fen')}.value`), /^rnbqkbnr\/pppppppp\//);
        await playMove(browser);
    },
    async 'a position that the engine refuses gets a message, and no lines of another one'(browser) {
        await browser.run(`${$('fen')}.value = '4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1'; ${$('fen')}.onchange()`);
        await browser.run(`${$('analyse')}.click()`);
        await browser.until(`${$('message')}.textContent.startsWith('Error: position fen: ')`);
        assert.strictEqual(await browser.run(`document.querySelectorAll('.line').length`), 0);
        assert.strictEqual(await browser.run(`${$('analyse')}.textContent`), 'Analyse');
        await browser.run(`${$('new')}.click()`);
        await playMove(browser);
    },
    async 'a server without the headers gets one thread'(browser) {
        await browser.load('', await serve({}));
        assert.strictEqual(await browser.run(`${$('build')}.textContent`),
            'One thread: the server does not send the headers COOP and COEP.');
        assert(await browser.run(`${$('several')}.hidden`));
        await playMove(browser);
        const lines = await askWorker(browser, ['uci'], 'uciok');
        assert(lines.includes('option name Threads type spin default 1 min 1 max 1'));
    },
    async 'a server with the headers gets threads: a move, two threads, stop within 100 ms'(browser) {
        await browser.load('', await serve(ISOLATION));
        assert.strictEqual(await browser.run(`${$('build')}.textContent`), 'With threads: the server allows shared memory.');
        const count = await browser.run('navigator.hardwareConcurrency');
        await playMove(browser);
        await browser.run(`window.answers = [];
            window.palimpsest.listeners.add(line => window.answers.push(line));
            ${$('threads')}.value = '${Math.min(2, count)}'; ${$('threads')}.onchange(); ${$('analyse')}.click()`);
        await browser.until(`document.querySelectorAll('.line').length === 3 && document.querySelectorAll('#tree rect').length > 3`);
        await pause(700);
        const ms = await stopAnalysis(browser);
        console.log(`with threads: stopped after ${ms.toFixed(1)} ms`);
        assert(ms < 100 * patience, `stopped after ${ms} ms`);
        const answers = await browser.run('window.answers');
        assert.deepStrictEqual(answers.filter(line => /^info string (threads|error|option)/.test(line)), []);
        await browser.shot('threads', 1280, 1080, 'light');
        const orders = [`setoption name Threads value ${Math.min(2, count)}`, ...Array(20).fill(['go depth 2', 'wait']).flat()];
        for (let i = 0; i < 4; i++) // the clocks of each engine's workers began at other moments
            checkTimes(await askWorker(browser, [...orders, 'uci'], 'uciok'), count);
    },
    async 'where threads do not work in spite of the headers, one thread does'(browser) {
        const { identifier } = await browser.call('Page.addScriptToEvaluateOnNewDocument', { source: `
            const { postMessage } = Worker.prototype;
            Worker.prototype.postMessage = function (data) {
                postMessage.call(this, data.steps ? { ...data, wasm: new Uint8Array(3) } : data);
            };` });
        await browser.load('', await serve(ISOLATION));
        await browser.call('Page.removeScriptToEvaluateOnNewDocument', { identifier });
        assert.match(await browser.run(`${$('build')}.textContent`), /^One thread: threads do not work here: /);
        await playMove(browser);
    },
    async 'a click before the engine is loaded is done afterwards'(browser) {
        const { identifier } = await browser.call('Page.addScriptToEvaluateOnNewDocument', { source: `
            addEventListener('DOMContentLoaded', () => document.getElementById('analyse')?.click());` });
        for (const site of [undefined, await serve(ISOLATION)]) {
            await browser.load('', site);
            await browser.until(`document.querySelectorAll('.line').length === 3`);
            assert.strictEqual(await browser.run(`${$('message')}.textContent`), '');
            await stopAnalysis(browser);
        }
        await browser.call('Page.removeScriptToEvaluateOnNewDocument', { identifier });
        const play = await browser.call('Page.addScriptToEvaluateOnNewDocument', { source: `
            addEventListener('DOMContentLoaded', () => document.getElementById('play')?.click());` });
        await browser.load();
        await browser.until(`document.querySelectorAll('#moves li').length === 1`);
        assert.strictEqual(await browser.run(`${$('message')}.textContent`), '');
        await browser.call('Page.removeScriptToEvaluateOnNewDocument', { identifier: play.identifier });
    },
    async 'a worker that cannot run is named'(browser) {
        const { identifier } = await browser.call('Page.addScriptToEvaluateOnNewDocument', { source: `
            window.Worker = class { postMessage() { setTimeout(() => this.onerror({})); } terminate() {} };` });
        await browser.call('Page.navigate', { url: 'about:blank' });
        await browser.call('Page.navigate', { url: `${pathToFileURL(path.resolve(folder)).href}/page/index.html` });
        await browser.until(`${$('status')}?.textContent === 'failed'`);
        assert.match(await browser.run(`${$('message')}.textContent`), /the worker cannot run/);
        await browser.call('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    },
    async 'another position clears what the table knew of the old one'(browser) {
        await browser.load();
        await browser.run(`${$('analyse')}.click()`);
        await browser.until(`document.querySelectorAll('#tree rect').length > 0`);
        await stopAnalysis(browser);
        await browser.until(`${$('analyse')}.textContent === 'Analyse'`);
        await pause(500); // the table is shown once more after the end
        assert.notStrictEqual(await browser.run(`document.querySelectorAll('#tree rect').length`), 0);
        await browser.run(`${$('new')}.click()`);
        assert.strictEqual(await browser.run(`document.querySelectorAll('#tree rect').length`), 0);
        assert.strictEqual(await browser.run(`${$('known')}.textContent`), '-');
    },
    async 'the end of a search draws nothing beside another position'(browser) {
        await browser.load('#moves=e2e4.e7e5');
        await browser.run(`window.ends = [];
            window.palimpsest.listeners.add(line => line.includes('"searching":false') && window.ends.push(line));
            ${$('analyse')}.click()`);
        await browser.until(`document.querySelectorAll('#tree rect').length > 0`);
        await browser.run(`${$('analyse')}.click(); ${$('back')}.click()`);
        await browser.until(`window.ends.length > 0`);
        await pause(200);
        assert.strictEqual(await browser.run(`document.querySelectorAll('#tree rect').length`), 0);
        assert.strictEqual(await browser.run(`${$('known')}.textContent`), '-');
    },
    async 'the page has the licences of all its parts'(browser) {
        await browser.load();
        await browser.run(`${$('licences')}.open = true`);
        for (const text of ['GNU GENERAL PUBLIC LICENSE', 'musl', 'badrap'])
            await browser.until(`${$('licences')}.textContent.toLowerCase().includes('${text.toLowerCase()}')`);
    },
    async 'the second visit needs no network, and has threads'(browser) {
        let isOff = false;
        const site = await serve(ISOLATION, () => isOff);
        await browser.load('', site);
        await browser.run('navigator.serviceWorker.ready.then(() => true)');
        await browser.call('Page.navigate', { url: `${site}/page/sw.js` }); // another page is not kept in place of it
        await browser.until(`location.pathname === '/page/sw.js' && document.readyState === 'complete'`);
        isOff = true;
        await browser.load('#moves=e2e4&ply=1', site);
        assert.strictEqual(await browser.run(`${$('build')}.textContent`), 'With threads: the server allows shared memory.');
        await playMove(browser);
    },
    async 'fits a window, a phone, and both colour schemes'(browser) {
        await browser.load('#moves=e2e4.c7c5.g1f3.d7d6.d2d4.c5d4.f3d4.g8f6.b1c3.a7a6.c1e3.e7e5&ply=11');
        for (const scheme of ['Thompson', 'TwoDeep']) {
            await browser.run(`${$('hash')}.value = '2'; ${$('scheme')}.value = '${scheme}'; ${$('scheme')}.onchange()`);
            await browser.run(`${$('analyse')}.click()`);
            await pause(pictures ? 2000 : 500);
            await browser.key(scheme === 'Thompson' ? 'ArrowLeft' : 'End'); // the analysis goes on there
            await browser.until(`parseFloat(document.querySelector('#levels .stale').style.width) > 0`);
            await pause(pictures ? 1500 : 500);
            await browser.run(`${$('analyse')}.click()`);
            await browser.until(`${$('analyse')}.textContent === 'Analyse'`);
        }
        await browser.shot('light', 1280, 1080, 'light');
        await browser.shot('dark', 1280, 1080, 'dark');
        await browser.shot('phone', 390, 2000, 'light');
    },
};

const patience = Number(process.env.PATIENCE || 1); // for slow or busy machines
(async () => {
    const browser = new Browser();
    let passed = 0, failed = 0;
    await browser.open();
    for (const [name, test] of Object.entries(tests)) {
        try {
            await test(browser);
            assert.deepStrictEqual(browser.errors.splice(0), []);
            passed++;
        } catch (error) {
            failed++;
            console.log(`FAILED: web page: ${name}: ${error.stack}`);
        }
    }
    browser.end();
    console.log(`${passed} passed, ${failed} failed, 0 skipped`);
    process.exitCode = failed > 0 ? 1 : 0;
    setTimeout(() => process.exit(), 3000).unref();
})();
