// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs the engine in a Web Worker, or with worker_threads in node: with threads where that is possible. Each message to it or
 * from it is one line of UCI:
 *     const worker = new Worker('palimpsest-worker.js');
 *     worker.onmessage = event => console.log(event.data);
 *     worker.postMessage('go depth 12'); */
'use strict';
if (typeof importScripts === 'function') {
    importScripts('palimpsest-choice.js');
    importScripts(self.palimpsestChoice().name + '.js');
    self.Palimpsest.serve(self);
} else {
    require('./palimpsest-node.js').serve(require('worker_threads').parentPort);
}
