// SPDX-License-Identifier: GPL-3.0-or-later
/* Two builds of the engine differ in their code, but contain the same network. So the page holds one build whole, and of the
 * other only what differs. */

/* The file made of `base` by `steps`: for each [count, from, length], `count` bytes of `fresh`, then `length` bytes of `base`
 * from `from` on. */
export function applyChanges(base, steps, fresh) {
    const made = new Uint8Array(steps.reduce((sum, [count, , length]) => sum + count + length, 0));
    let at = 0, used = 0;
    for (const [count, from, length] of steps) {
        made.set(fresh.subarray(used, used + count), at);
        made.set(base.subarray(from, from + length), at + count);
        at += count + length;
        used += count;
    }
    return made;
}

/* Such { steps, fresh } that make `target` (both are of node's Buffer). Looks for a short piece of every 4096 bytes in
 * `base`. */
export function findChanges(base, target) {
    const STRIDE = 4096, PIECE = 64, steps = [], fresh = [];
    let done = 0;
    for (let place = 0; place < target.length; place = Math.max(place + STRIDE, done)) {
        let from = base.indexOf(target.subarray(place, place + PIECE)), to = place, end = place;
        if (from < 0)
            continue;
        for (; to > done && from > 0 && base[from - 1] === target[to - 1]; to--)
            from--;
        while (end < target.length && base[from + end - to] === target[end])
            end++;
        if (end - to < STRIDE)
            continue;
        steps.push([to - done, from, end - to]);
        fresh.push(target.subarray(done, to));
        done = end;
    }
    steps.push([target.length - done, 0, 0]);
    fresh.push(target.subarray(done));
    return { steps, fresh: Buffer.concat(fresh) };
}
