// SPDX-License-Identifier: GPL-3.0-or-later
/* engine.js FOLDER BENCH: tests the npm package in FOLDER. BENCH: node count of the native engine. */
'use strict';
const assert = require('assert');
const path = require('path');
const { spawnSync } = require('child_process');
const { Worker } = require('worker_threads');
const [folder, bench] = process.argv.slice(2);
const { create } = require(path.resolve(folder));
const patience = Number(process.env.PATIENCE || 1); // for slow or busy machines
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

const tests = {
    async 'answers uci'() {
        const engine = await create();
        const lines = await engine.ask('uci', line => line === 'uciok');
        assert(lines.some(line => line.startsWith('id name Palimpsest')));
        assert(lines.some(line => line.startsWith('option name Replacement')));
        engine.send('quit');
        assert.strictEqual(await engine.exited, 0);
    },
    async 'plays a game of 12 moves and finds a mate'() {
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
    async 'stop, isready and illegal input arrive during a search'() {
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
    async 'the end of the input ends the engine'() {
        const engine = await create();
        engine.close();
        assert.strictEqual(await engine.exited, 0);
    },
    async 'tables of 256 MiB and of each scheme work, a huge one is refused and the engine lives'() {
        const engine = await create();
        for (const setting of ['Hash value 256', 'Hash value 4096', 'Hash value 16', 'Replacement value Thompson',
            'Replacement value Big1', 'Replacement value Old']) {
            engine.send('setoption name ' + setting);
            engine.send('position startpos');
            assert.notStrictEqual((await engine.go('nodes 5000')).move, '0000');
        }
        engine.send('quit');
        await engine.exited;
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
    async 'reads standard input as a program'() {
        const { stdout, status } = spawnSync(process.execPath, [path.resolve(folder, 'palimpsest-cli.js')],
            { input: 'position startpos\ngo depth 6\nwait\nquit\n', encoding: 'utf8' });
        assert.match(stdout, /bestmove/);
        assert.strictEqual(status, 0);
    },
    async 'counts the nodes of the native engine'() {
        const { stdout } = spawnSync(process.execPath, [path.resolve(folder, 'palimpsest-cli.js'), 'bench'], { encoding: 'utf8' });
        assert.strictEqual(/Nodes searched *: (\d+)/.exec(stdout)[1], bench);
    },
};

(async () => {
    let passed = 0, failed = 0;
    for (const [name, test] of Object.entries(tests)) {
        const limit = pause(60000 * patience).then(() => { throw new Error('takes too long'); });
        limit.catch(() => 0);
        try {
            await Promise.race([test(), limit]);
            passed++;
        } catch (error) {
            failed++;
            console.log(`FAILED: web: ${name}: ${error.stack}`);
        }
    }
    console.log(`${passed} passed, ${failed} failed, 0 skipped`);
    process.exit(failed > 0 ? 1 : 0);
})();
