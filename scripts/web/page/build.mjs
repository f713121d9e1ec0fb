// SPDX-License-Identifier: GPL-3.0-or-later
/* build.mjs FOLDER: bundles the page and puts style, program, engine and network into FOLDER/page/index.html. */
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const target = process.argv[2];
const bundle = async (entry, loader = {}) => {
    const result = await build({ entryPoints: [entry], bundle: true, minify: true, write: false, format: 'iife',
        target: 'es2021', loader, logLevel: 'warning', legalComments: 'none' });
    return result.outputFiles[0].text.trim();
};
const inScript = text => text.replaceAll('</script', '<\\/script');
const parts = {
    STYLE: await bundle('style.css', { '.svg': 'dataurl' }),
    PROGRAM: inScript(await bundle('main.js')),
    ENGINE: inScript(readFileSync(`${target}/palimpsest.js`, 'utf8')),
    WASM: gzipSync(readFileSync(`${target}/palimpsest.wasm`), { level: 9 }).toString('base64'),
};
const page = readFileSync('index.html', 'utf8').replace(/@([A-Z]+)@/g, (text, name) => parts[name] ?? text);
mkdirSync(`${target}/page`, { recursive: true });
writeFileSync(`${target}/page/index.html`, page);
writeFileSync(`${target}/page/sw.js`, readFileSync('sw.js'));
