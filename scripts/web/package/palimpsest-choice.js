// SPDX-License-Identifier: GPL-3.0-or-later
/* Chooses the build that can run here: { name, threads, why }. Threads need shared memory. node always has it; browsers give it
 * only to pages that a server sends with two headers. */
var palimpsestChoice = () => {
    const choose = (threads, why) => ({ name: threads ? 'palimpsest-threads' : 'palimpsest', threads, why });
    if (typeof process === 'object' && process.versions && process.versions.node)
        return choose(true, 'node shares memory');
    if (globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function')
        return choose(true, 'the server allows shared memory');
    if (location.protocol === 'file:')
        return choose(false, 'the page was opened from a disk');
    return choose(false, globalThis.isSecureContext ? 'the server does not send the headers COOP and COEP' :
        'the connection is not secure');
};
if (typeof module === 'object' && module.exports)
    module.exports = palimpsestChoice;
