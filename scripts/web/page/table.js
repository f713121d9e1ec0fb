// SPDX-License-Identifier: GPL-3.0-or-later
/* Draws the transposition table: its levels, how they filled, and the largest subtrees. */
const SVG = 'http://www.w3.org/2000/svg';
const COLOURS = ['--accent', '--lower', '--upper', '--exact', '--eval'];

function add(parent, name, attributes, text) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
        node.setAttribute(key, value);
    if (text !== undefined)
        node.textContent = text;
    parent.append(node);
    return node;
}

export const short = n => n >= 1e9 ? (n / 1e9).toFixed(1) + ' G' : n >= 1e6 ? (n / 1e6).toFixed(1) + ' M' :
    n >= 1e4 ? Math.round(n / 1e3) + ' k' : String(n);

/* A row with a name, a bar of parts [class, share, title, opacity], and a number. */
function makeRow(name, parts, number) {
    const row = document.createElement('div'), bar = document.createElement('div');
    row.className = 'level';
    bar.className = 'bar';
    for (const [kind, share, title, opacity] of parts) {
        const piece = document.createElement('i');
        piece.className = kind;
        piece.style.width = `${100 * share}%`;
        piece.style.opacity = opacity ?? 1;
        piece.title = title;
        bar.append(piece);
    }
    const label = document.createElement('span'), value = document.createElement('em');
    label.textContent = name;
    value.textContent = number;
    row.append(label, bar, value);
    return row;
}

/* Stale entries by age: the last search but one, two to three before, older ones. */
const AGES = [[1, 2, 'stale: the search before', 1], [2, 4, 'stale: 2 or 3 searches before', .7], [4, 32, 'stale: older', .45]];

const percent = share => `${(100 * share).toFixed(1)} %`;

/* One bar a level. Stale entries are counted with their bounds too, so the parts are scaled to the fresh ones. */
export function drawLevels(target, levels) {
    target.replaceChildren(...levels.map(level => {
        const used = level.total - level.empty || 1;
        const kinds = { exact: level.exact, lower: level.lower, upper: level.upper, eval: level.evaluations };
        const parts = Object.entries(kinds).map(([name, count]) => {
            const share = count / used * (level.fresh / level.total);
            return [name, share, `${name}: ${percent(share)}`];
        });
        for (const [from, to, title, opacity] of AGES) {
            const share = level.ages.slice(from, to).reduce((sum, count) => sum + count, 0) / level.total;
            parts.push(['stale', share, `${title}: ${percent(share)}`, opacity]);
        }
        return makeRow(level.name, parts, percent(1 - level.empty / level.total));
    }));
}

const WRITTEN = { empty: 'an empty place', same: 'the same position', stale: 'a stale entry', other: 'another position' };

/* What a search wrote over; null: no search yet. */
export function drawWritten(target, written) {
    const total = written ? Object.values(written).reduce((sum, count) => sum + count, 0) : 0;
    const parts = total === 0 ? [] : Object.entries(WRITTEN).map(([kind, text]) =>
        [`over-${kind}`, written[kind] / total, `${text}: ${short(written[kind])}, ${percent(written[kind] / total)}`]);
    target.replaceChildren(makeRow('Written', parts, total === 0 ? '-' : short(total)));
}

/* The runs: { label, points: [{ nodes, full: [of each level, 0 to 1] }] }; the newest is last and drawn thickest. */
export function drawCurve(svg, legend, runs) {
    const left = 62, right = 590, top = 10, bottom = 160;
    const most = Math.max(1, ...runs.flatMap(run => run.points.map(point => point.nodes)));
    const x = nodes => left + (right - left) * nodes / most, y = full => bottom - (bottom - top) * full;
    svg.replaceChildren();
    legend.replaceChildren();
    for (const full of [0, .5, 1]) {
        add(svg, 'path', { class: 'axis', d: `M${left} ${y(full)}H${right}` });
        add(svg, 'text', { class: 'faint', x: left - 6, y: y(full) + 4, 'text-anchor': 'end' }, `${100 * full} %`);
    }
    add(svg, 'text', { class: 'faint', x: right, y: bottom + 22, 'text-anchor': 'end' }, `${short(most)} nodes`);
    runs.forEach((run, index) => {
        const isLast = index === runs.length - 1, colour = `var(${COLOURS[(runs.length - 1 - index) % COLOURS.length]})`;
        const count = run.points.length > 0 ? run.points[0].full.length : 0;
        for (let level = 0; level < count; level++) {
            const d = run.points.map((point, i) => `${i ? 'L' : 'M'}${x(point.nodes).toFixed(1)} ${y(point.full[level]).toFixed(1)}`);
            add(svg, 'path', { d: d.join(''), fill: 'none', stroke: colour, 'stroke-width': isLast ? 3 : 1.5,
                'stroke-dasharray': level === 1 ? '7 4' : 'none' });
        }
        const label = document.createElement('span'), patch = document.createElement('i');
        patch.style.background = colour;
        label.append(patch, run.label);
        legend.append(label);
    });
    legend.append(runs.some(run => run.points[0]?.full.length === 2) ? 'dashed: the second level' : '');
}

/* Columns of moves, boxes of replies: the `tree` of `hash live`. Calls `go` with the moves in SAN of the box that is clicked. */
export function drawTree(svg, tree, go) {
    const moves = [...tree].sort((a, b) => b.nodes - a.nodes).slice(0, 12), total = moves.reduce((sum, move) => sum + move.nodes, 0);
    if (svg.matches(':active'))
        return; // a click is under way, which a new drawing would end
    svg.replaceChildren();
    if (total === 0) {
        add(svg, 'text', { x: 300, y: 130, 'text-anchor': 'middle', style: 'fill:var(--faint)' }, 'Nothing yet');
        return;
    }
    let x = 0;
    moves.forEach((move, index) => {
        const width = 600 * move.nodes / total, fill = `var(${COLOURS[index % COLOURS.length]})`;
        const box = (y, height, san, nodes, line, opacity) => {
            const node = add(svg, 'rect', { x, y, width, height, fill, 'fill-opacity': opacity });
            add(node, 'title', {}, `${line.join(' ')}: ${short(nodes)} nodes`);
            node.addEventListener('click', () => go(line));
            if (width > 34 && height > 15)
                add(svg, 'text', { x: x + 5, y: y + Math.min(height - 4, 17) }, width > 90 ? `${san}  ${short(nodes)}` : san);
        };
        const replies = move.replies.sort((a, b) => b.nodes - a.nodes);
        const known = Math.max(move.nodes, replies.reduce((sum, reply) => sum + reply.nodes, 0));
        box(0, 26, move.move, move.nodes, [move.move], 1);
        let y = 26;
        for (const reply of replies) {
            const height = 234 * reply.nodes / known;
            box(y, height, '… ' + reply.move, reply.nodes, [move.move, reply.move], .78);
            y += height;
        }
        if (y < 259)
            add(svg, 'rect', { x, y, width, height: 260 - y, fill, 'fill-opacity': .35 });
        x += width;
    });
}
