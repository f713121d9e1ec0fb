// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.js FOLDER BENCH: tests the npm package in FOLDER, each of its two builds. BENCH: node count of the native engine. */
'use strict';
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');
const { Worker } = require('worker_threads');
const [folder, bench] = process.argv.slice(2);
const patience = Number(process.env.PATIENCE || 1); // for slow or busy machines
const LIMIT_MS = 60000 * Math.min(patience, 3); // of a test, or of a program that it starts
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/* Times of the processor in 1/100 s that each thread of this process has used. */
const used = () => new Map(fs.readdirSync('/proc/self/task').map(id =>
    [id, Number(fs.readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1].split(' ')[11])]));

/* How many threads have worked since `before`: at least a third as long as the one that worked longest. */
const workersSince = before => {
    const times = [...used()].map(([id, time]) => time - (before.get(id) ?? 0));
    return times.filter(time => time > 0 && time >= Math.max(...times) / 3).length;
};

/* Tests of both builds: functions of create() and of the name of the build. */
const tests = {
    async 'answers uci'(create) {
        const engine = await create();
        const lines = await engine.ask('uci', line => line === 'uciok');
        assert(lines.some(line => line.startsWith('id name Palimpsest')));
        assert(lines.some(line => line.startsWith('option name Replacement')));
        engine.send('quit');
        assert.strictEqual(await engine.exited, 0);
    },
    async 'plays a game of 12 moves and finds a mate'(create) {
        const engine = await create(), moves = [];
        for (let ply = 0; ply < 12; ply++) {
            engine.send('position startpos moves ' + moves.join(' '));
            const { move } = await engine.go('nodes 2000');
            assert.match(move, /^[a-h][1-8][a-h][1-8]$/);
            moves.push(move);
        }
        engine.send('position fen 6k1/5ppp/8/8/8/8/8/1R4K1 w - - 0 1');
        assert.strictEqual((await engine.go('depth 5')).move, 'b1b8');
        engine.send('quit');
        await engine.exited;
    },
    async 'stop, isready and illegal input arrive during a search'(create) {
        const engine = await create();
        const search = engine.go('infinite');
        await pause(500);
        await engine.ready();
        engine.send('nonsense');
        const begin = performance.now();
        engine.send('stop');
        assert.notStrictEqual((await search).move, '0000');
        const ms = performance.now() - begin;
        assert(ms < 100 * patience, `stop took ${ms} ms`);
        const perft = engine.ask('perft 9', line => /stopped|interrupted|nodes/i.test(line));
        await pause(200);
        engine.send('stop');
        await perft;
        engine.send('quit');
        await engine.exited;
    },
    async 'each go() resolves to its own search'(create) {
        const engine = await create();
        const searches = [engine.go('infinite'), engine.go('depth 5')];
        await searches[1];
        searches.push(new Promise(resolve => {
            const end = engine.onLine(text => { // calls go() when another search ends
                if (text.startsWith('bestmove')) {
                    end();
                    resolve(engine.go('depth 6'));
                }
            });
        }), engine.go('depth 2'));
        const results = await Promise.all(searches);
        for (const { lines } of results)
            assert.strictEqual(lines.filter(line => line.startsWith('bestmove')).length, 1);
        for (const [i, depth] of [[1, 5], [2, 6], [3, 2]])
            assert(results[i].lines.some(line => line.startsWith(`info depth ${depth} `)));
        engine.send('quit');
        await engine.exited;
    },
    async 'a search of send() is not that of go()'(create) {
        const engine = await create();
        engine.send('go depth 1');
        const { lines } = await engine.go('depth 5');
        assert(lines.some(line => line.startsWith('info depth 5 ')), lines.join('\n'));
        engine.send('quit');
        await engine.exited;
    },
    async 'perft has no best move, so go() refuses it'(create) {
        const engine = await create();
        await assert.rejects(engine.go('perft 2'), /perft/);
        engine.send('go perft 2');
        assert.match((await engine.go('depth 3')).move, /^[a-h][1-8][a-h][1-8]$/);
        engine.send('quit');
        await engine.exited;
    },
    async 'the end of the input ends the engine'(create) {
        const engine = await create();
        engine.close();
        assert.strictEqual(await engine.exited, 0);
    },
    async 'tables of 256 MiB and of each scheme work, huge ones are refused and the engine lives'(create) {
        const engine = await create();
        for (const setting of ['Hash value 256', 'Hash value 4096', 'Hash value 4097', 'Hash value 5120', 'Hash value 16',
            'Replacement value Thompson', 'Replacement value Big1', 'Replacement value Old']) {
            engine.send('setoption name ' + setting);
            engine.send('position startpos');
            assert.notStrictEqual((await engine.go('nodes 5000')).move, '0000');
        }
        engine.send('quit');
        await engine.exited;
    },
    async 'commands are answered while the table is saved'(create) {
        const engine = await create();
        engine.send('setoption name Hash value 256');
        await engine.go('nodes 5000');
        const save = engine.ask('hash save table', line => / hash save: (\d+ positions|')/.test(line));
        await pause(20); // the save has begun
        engine.send('isready');
        const lines = await save;
        assert(lines.includes('readyok'), lines.join('\n'));
        assert.match(lines[lines.length - 1], /^info string hash save: [1-9]/);
        engine.send('quit');
        assert.strictEqual(await engine.exited, 0);
    },
    async 'reads lines of any length'(create) {
        const engine = await create();
        for (const bytes of [1023, 1024, 1025, 2048, 5000]) {
            engine.send('position startpos moves e2e4'.padEnd(bytes - 1)); // and the end of the line
            assert.match((await engine.go('depth 1')).move, /^[a-h][78]/);
        }
        engine.send('quit');
        assert.strictEqual(await engine.exited, 0);
    },
    async 'the time of a search never runs backwards'(create) {
        const engine = await create();
        engine.send('setoption name Threads value 2');
        for (let i = 0; i < 20; i++) {
            const { lines } = await engine.go('depth 5');
            const times = lines.filter(line => / time /.test(line)).map(line => Number(/ time (\S+)/.exec(line)[1]));
            assert(times.length > 0 && times.every((time, at) => time >= (times[at - 1] ?? 0)), times.join(' '));
        }
        engine.send('quit');
        await engine.exited;
    },
    async 'reads standard input as a program'(create, name) {
        const { stdout, status } = spawnSync(process.execPath, [path.resolve(folder, name + '.js')],
            { input: 'position startpos\ngo depth 6\nwait\nquit\n', encoding: 'utf8', timeout: LIMIT_MS });
        assert.match(stdout, /bestmove/);
        assert.strictEqual(status, 0);
    },
    async 'counts the nodes of the native engine'(create, name) {
        const { stdout } = spawnSync(process.execPath, [path.resolve(folder, name + '.js'), 'bench'],
            { encoding: 'utf8', timeout: LIMIT_MS });
        assert.strictEqual(/Nodes searched *: (\d+)/.exec(stdout)[1], bench);
    },
};

/* Tests of one build, or of their choice. */
const otherTests = {
    async 'one thread has no further threads'() {
        const engine = await load('palimpsest').create();
        assert((await engine.ask('uci', line => line === 'uciok')).includes('option name Threads type spin default 1 min 1 max 1'));
        engine.send('quit');
        await engine.exited;
    },
    async 'with threads, two workers search, and stop'() {
        const engine = await load('palimpsest-threads').create(), count = os.cpus().length;
        const option = `option name Threads type spin default 1 min 1 max ${count}`;
        assert((await engine.ask('uci', line => line === 'uciok')).includes(option));
        await engine.go('movetime 1000'); // V8 compiles meanwhile
        for (const threads of count > 1 ? [1, 2] : [1]) {
            engine.send(`setoption name Threads value ${threads}`);
            await engine.ready();
            const before = used(), search = engine.go('infinite');
            await pause(2000);
            assert.strictEqual(workersSince(before), threads);
            const begin = performance.now();
            engine.send('stop');
            await search;
            const ms = performance.now() - begin;
            assert(ms < 100 * patience, `stop took ${ms} ms`);
        }
        engine.send('quit');
        assert.strictEqual(await engine.exited, 0);
    },
    async 'quit ends a search with threads, and two engines do not disturb each other'() {
        const { create } = load('palimpsest-threads'), [one, other] = [await create(), await create()];
        one.go('infinite');
        await one.ready();
        const { runningWorkers, unusedWorkers } = one.core.PThread;
        assert(runningWorkers.length >= 3);
        one.send('quit');
        assert.strictEqual(await one.exited, 0);
        await pause(500);
        assert([...runningWorkers, ...unusedWorkers].every(worker => worker.threadId === -1)); // each has ended
        assert.match((await other.go('depth 5')).move, /^[a-h]/);
        other.send('quit');
        assert.strictEqual(await other.exited, 0);
    },
    async 'node gets threads'() {
        assert(require(path.resolve(folder)).hasThreads);
        assert(!load('palimpsest').hasThreads);
        const { stdout, status } = spawnSync(process.execPath, [path.resolve(folder, 'palimpsest-cli.js')],
            { input: 'uci\n', encoding: 'utf8', timeout: LIMIT_MS });
        assert(stdout.includes(`option name Threads type spin default 1 min 1 max ${os.cpus().length}`));
        assert.strictEqual(status, 0);
    },
    async 'a worker speaks UCI'() {
        const worker = new Worker(path.resolve(folder, 'palimpsest-worker.js'));
        const ended = new Promise(resolve => worker.on('exit', resolve));
        const move = new Promise(resolve => worker.on('message', line => line.startsWith('bestmove') && resolve(line)));
        worker.postMessage('go depth 4');
        assert.match(await move, /^bestmove [a-h]/);
        worker.postMessage('quit');
        await ended;
    },
};

const load = name => require(path.resolve(folder, name + '.js'));
(async () => {
    let passed = 0, failed = 0;
    const all = Object.entries(otherTests);
    for (const name of ['palimpsest', 'palimpsest-threads'])
        all.push(...Object.entries(tests).map(([claim, test]) => [`${name}: ${claim}`, () => test(load(name).create, name)]));
    for (const [name, test] of all) {
        const tooLong = new Error(`takes more than ${LIMIT_MS} ms; the tests after it are left out`);
        const limit = pause(LIMIT_MS).then(() => { throw tooLong; });
        limit.catch(() => 0);
        try {
            await Promise.race([test(), limit]);
            passed++;
        } catch (error) {
            failed++;
            console.log(`FAILED: web: ${name}: ${error.stack}`);
            if (error === tooLong) // its engines go on and would disturb the others
                break;
        }
    }
    console.log(`${passed} passed, ${failed} failed, 0 skipped`);
    process.exit(failed > 0 ? 1 : 0);
})();
