// SPDX-License-Identifier: GPL-3.0-or-later
/* The JavaScript side of the engine; scripts/web/build.sh appends it to what emcc writes, which defines PalimpsestCore(),
 * and puts in the name of the build.
 * palimpsest: the engine runs in turns of a few milliseconds (src/base/thread_web.c). Between them messages arrive, so `stop`
 * works in one thread, without shared memory.
 * palimpsest-threads: each thread of the engine is a worker, which also loads this file. The thread that creates the engine
 * carries its lines (src/base/workers_web.c), so it must return to its events quickly. */
var Palimpsest = (() => {
    'use strict';
    const NAME = '@NAME@', hasThreads = NAME === 'palimpsest-threads';
    const isNode = typeof process === 'object' && !!process.versions && !!process.versions.node;

    /* Calls `callback` soon, after the events that wait now. Browsers delay setTimeout() by 4 ms, so a message is used. */
    const soon = isNode ? setImmediate : (() => {
        const waiting = [], channel = new MessageChannel();
        channel.port1.onmessage = () => waiting.shift()();
        return callback => { waiting.push(callback); channel.port2.postMessage(0); };
    })();

    /* Microseconds since a fixed moment, in every worker the same. In browsers the clock of a worker begins with the worker, and
     * emscripten's own correction is wrong by some milliseconds; the origin makes them agree. In node all agree. */
    const clockUs = isNode ? () => {
        const [seconds, nanoseconds] = process.hrtime();
        return seconds * 1e6 + nanoseconds / 1e3;
    } : () => (performance.timeOrigin + performance.now()) * 1e3;

    /* The lines that the engine has not read yet, as a device: one line, then null, as at a terminal. The C library reads up
     * to 1024 bytes at once, and a null at the beginning would mean the end of the input. So where a line ends together with
     * these bytes, there is no null. */
    class Input {
        constructor() {
            this.lines = [];
            this.place = 0;
            this.isClosed = false;
        }
        add(line) {
            this.lines.push(new TextEncoder().encode(line + '\n'));
        }
        isReady() {
            return this.lines.length > 0 || this.isClosed;
        }
        read() {
            const line = this.lines[0];
            if (!line)
                return null;
            const byte = this.place < line.length ? line[this.place++] : null;
            if (byte === null || (this.place === line.length && this.place % 1024 === 0)) {
                this.lines.shift();
                this.place = 0;
            }
            return byte;
        }
    }

    class Engine {
        constructor(onLine) {
            this.input = new Input();
            this.listeners = new Set(onLine ? [onLine] : []);
            this.isPlanned = false;
            this.searches = 0; // those sent whose best move is not printed yet
            this.exited = new Promise(resolve => { this.resolveExit = resolve; });
        }

        /* Sends one line, such as 'go depth 10'. */
        send(line) {
            const words = line.trim().split(/\s+/);
            if (words[0] === 'go' && !words.includes('perft'))
                this.searches++;
            this.input.add(line);
            this.wake();
        }

        /* Ends the input: the engine finishes what it was told and ends. `exited` resolves to its status. */
        close() {
            this.input.isClosed = true;
            this.wake();
        }

        /* Calls `listener` with each line that the engine prints. Returns a function that ends this. */
        onLine(listener) {
            this.listeners.add(listener);
            return () => this.listeners.delete(listener);
        }

        /* Sends `line` and resolves to the lines printed from then on, up to the first one that `isLast` accepts. */
        ask(line, isLast) {
            return new Promise(resolve => {
                const lines = [];
                const end = this.onLine(text => {
                    lines.push(text);
                    if (!isLast(text))
                        return;
                    end();
                    resolve(lines);
                });
                this.send(line);
            });
        }

        /* Resolves when the engine has done all commands so far; not before the end of a search that others wait for. */
        async ready() {
            await this.ask('isready', text => text === 'readyok');
        }

        /* Searches and resolves to { move, ponder, lines }; `limits` as in UCI: 'depth 12', 'movetime 500'. Ends an earlier
         * search, whose lines only the earlier call gets. Refuses perft, which is no search and finds no move. */
        async go(limits) {
            if (/\bperft\b/.test(limits))
                throw new Error("go() cannot run perft; use ask('go perft 5', line => line.startsWith('Nodes searched'))");
            let earlier = this.searches, lines = [];
            await this.ask('go ' + limits, text => {
                lines.push(text);
                if (!text.startsWith('bestmove'))
                    return false;
                if (earlier === 0)
                    return true;
                earlier--;
                lines = [];
                return false;
            });
            const words = lines[lines.length - 1].split(' ');
            return { move: words[1], ponder: words[3] || null, lines };
        }

        print(text) {
            if (text.startsWith('bestmove') && this.searches > 0) // 0: it belongs to an argument of the program
                this.searches--;
            for (const listener of [...this.listeners])
                listener(text);
        }

        /* Lets the engine read its input. */
        wake() {
            if (!this.core || this.hasExited)
                return;
            if (hasThreads)
                this.core._thread_set_input_ready(this.input.isReady());
            else
                this.plan(0);
        }

        read() {
            const byte = this.input.read();
            if (hasThreads && !this.input.isReady())
                this.core._thread_set_input_ready(false);
            return byte;
        }

        /* Without threads: runs the engine for one turn, after `ms` milliseconds. */
        plan(ms) {
            if (this.isPlanned)
                return;
            clearTimeout(this.timer);
            if (ms > 0) {
                this.timer = setTimeout(() => this.run(), ms);
            } else {
                this.isPlanned = true;
                soon(() => this.run());
            }
        }

        run() {
            this.isPlanned = false;
            if (this.hasExited)
                return;
            this.core._thread_run();
            const pause = this.hasExited ? -1 : this.core._thread_pause_ms();
            if (pause >= 0)
                this.plan(pause);
        }

        end(status) {
            this.hasExited = true;
            if (hasThreads)
                [...this.core.PThread.runningWorkers, ...this.core.PThread.unusedWorkers].forEach(worker => worker.terminate());
            this.resolveExit(status);
        }

        async start(options) {
            const urls = { wasm: options.wasmUrl, js: options.workerUrl };
            const settings = {
                stdin: () => this.read(),
                inputIsReady: () => this.input.isReady(),
                hasEnded: status => this.end(status),
                print: text => this.print(text),
                printErr: options.onError || (text => console.error(text)),
                locateFile: (file, folder) => urls[file.split('.').pop()] || folder + file.replace('palimpsest', NAME),
                mainScriptUrlOrBlob: options.scriptUrl, // else emscripten's own guess, which only fails in a worker
            };
            if (hasThreads && !options.scriptUrl && typeof importScripts === 'function')
                settings.mainScriptUrlOrBlob = new URL(NAME + '.js', location.href).href;
            if (options.wasmBinary)
                settings.wasmBinary = options.wasmBinary;
            else if (isNode)
                settings.wasmBinary = require('fs').readFileSync(require('path').join(__dirname, NAME + '.wasm'));
            this.core = await PalimpsestCore(settings);
            this.files = this.core.FS;
            this.core.callMain(options.arguments || []);
            this.wake();
            return this;
        }
    }

    /* Starts an engine in this thread. Options: onLine, onError: functions of a line; wasmUrl or wasmBinary: the compiled
     * engine, by default the .wasm file beside the script; arguments: those of the program. With threads also scriptUrl and
     * workerUrl: this script and the .worker.js file beside it, if there is one (emcc before 3.1.68). */
    const create = (options = {}) => new Engine(options.onLine).start(options);

    /* Serves the messages of a Web Worker or of worker_threads: each message in or out is one line. */
    const serve = (port, options = {}) => {
        const early = [];
        let engine = null;
        const receive = line => engine ? engine.send(line) : early.push(line);
        if (isNode)
            port.on('message', receive);
        else
            port.onmessage = event => receive(event.data);
        return create({ ...options, onLine: line => port.postMessage(line) }).then(started => {
            engine = started;
            early.forEach(line => engine.send(line));
            engine.exited.then(status => isNode ? process.exit(status) : port.close());
            return engine;
        });
    };

    /* The program in a terminal, of node. */
    const runProgram = async words => {
        const engine = await create({ arguments: words, onLine: line => console.log(line) });
        if (words.length === 0) {
            const lines = require('readline').createInterface({ input: process.stdin, terminal: false });
            lines.on('line', line => engine.send(line));
            lines.on('close', () => engine.close());
            engine.exited.then(() => process.stdin.destroy());
        }
        process.exitCode = await engine.exited;
    };

    return { create, serve, runProgram, hasThreads, clockUs };
})();

if (typeof module === 'object' && module.exports) {
    module.exports = Palimpsest;
    if (require.main === module)
        Palimpsest.runProgram(process.argv.slice(2));
}
