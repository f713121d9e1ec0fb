// SPDX-License-Identifier: GPL-3.0-or-later
/* build.mjs FOLDER: bundles the page and puts style, program, both builds of the engine and the network into
 * FOLDER/page/index.html. */
import assert from 'node:assert';
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { applyChanges, findChanges } from './changes.js';

const target = process.argv[2];
const bundle = async (entry, loader = {}) => {
    const result = await build({ entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife',
        target: 'es2021', loader, logLevel: 'warning', legalComments: 'none' });
    return result.outputFiles[0].text.trim();
};
const inScript = text => text.replaceAll('</script', '<\\/script');
const script = name => inScript(readFileSync(`${target}/${name}`, 'utf8'));
const packed = bytes => gzipSync(bytes, { level: 9 }).toString('base64');
const wasm = readFileSync(`${target}/palimpsest.wasm`), threads = readFileSync(`${target}/palimpsest-threads.wasm`);
const { steps, fresh } = findChanges(wasm, threads);
assert(threads.equals(applyChanges(wasm, steps, fresh)));
const parts = {
    STYLE: await bundle('style.css', { '.svg': 'dataurl' }),
    PROGRAM: inScript(await bundle('main.js')),
    ENGINE: script('palimpsest.js'),
    THREADS: script('palimpsest-threads.js'),
    PTHREAD: existsSync(`${target}/palimpsest-threads.worker.js`) ? script('palimpsest-threads.worker.js') : '',
    WASM: packed(wasm),
    STEPS: JSON.stringify(steps),
    FRESH: packed(fresh),
    LICENCES: packed(['../../../COPYING', `${target}/LICENCES-emscripten.txt`, 'node_modules/@badrap/result/LICENSE']
        .map(name => readFileSync(name, 'utf8')).join('\n\n')),
};
const page = readFileSync('index.html', 'utf8').replace(/@([A-Z]+)@/g, (text, name) => parts[name] ?? text);
mkdirSync(`${target}/page`, { recursive: true });
writeFileSync(`${target}/page/index.html`, page);
writeFileSync(`${target}/page/sw.js`, readFileSync('sw.js'));
