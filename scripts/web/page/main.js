// SPDX-License-Identifier: GPL-3.0-or-later
import { Chessground } from '@lichess-org/chessground';
import { chessgroundDests, chessgroundMove } from 'chessops/compat';
import { makeFen } from 'chessops/fen';
import { makeSquare, parseSquare, parseUci } from 'chessops/util';
import { Engine, parseInfo, parseLive, unpackText } from './engine.js';
import { Game, lineToSan, numbered } from './game.js';
import { drawCurve, drawLevels, drawTree, drawWritten, short } from './table.js';

const $ = id => document.getElementById(id);
const ANALYSIS_MS = 864e5, LIVE_MS = 250, LIVE_MAX_MS = 1000, POINTS_MAX = 400, RUNS_MAX = 4;
let game = new Game(), engine = null, wanted = null, worker = Promise.resolve();
let runs = [], searched = 0;

const board = Chessground($('board'), { movable: { free: false, showDests: true }, animation: { duration: 120 },
    drawable: { enabled: true } });

/* Board and moves. */

function say(text) {
    $('message').textContent = text;
}

const shownFen = () => makeFen(game.at().position.toSetup());

function show() {
    const { position, last } = game.at();
    board.set({
        fen: shownFen(), turnColor: position.turn, check: position.isCheck() && position.turn,
        lastMove: last ? chessgroundMove(last) : undefined,
        movable: { color: position.turn, dests: chessgroundDests(position), events: { after: moved } },
    });
    board.setAutoShapes([]);
    $('fen').value = shownFen();
    const first = new Game(game.fen).at().position;
    const offset = 2 * (first.fullmoves - 1) + (first.turn === 'white' ? 0 : 1);
    $('moves').replaceChildren(...game.sans().map((san, i) => {
        const item = document.createElement('li'), number = document.createElement('b');
        const ply = offset + i;
        number.textContent = ply % 2 === 0 ? `${ply / 2 + 1}.` : i === 0 ? `${(ply + 1) / 2}...` : '';
        item.append(number, san);
        item.className = i === game.ply - 1 ? 'now' : '';
        item.onclick = () => goTo(i + 1);
        return item;
    }));
    const now = document.querySelector('#moves .now');
    if (now)
        $('moves').scrollTop = now.offsetTop - $('moves').offsetTop - 30;
    history.replaceState(null, '', '#' + game.toLink());
    $('lines').replaceChildren();
    drawTree($('tree'), [], () => {}); // a click would play moves of the old position
    $('known').textContent = '-';
    if (position.isEnd())
        say(position.isCheckmate() ? 'Checkmate' : position.isStalemate() ? 'Stalemate' : 'Draw: not enough material');
}

/* Shows the position; a running analysis goes on there. */
function changed() {
    say('');
    show();
    if (wanted === 'analyse')
        begin('analyse');
    else if (wanted === 'play')
        end();
}

function goTo(ply) {
    const to = Math.max(0, Math.min(game.moves.length, ply));
    if (to !== game.ply) {
        game.ply = to;
        changed();
    }
}

function load(made) {
    try {
        game = made();
        changed();
    } catch (error) {
        say(`Not understood: ${error.message}`);
    }
}

async function choosePromotion(colour) {
    const glyphs = { queen: '♛', rook: '♜', bishop: '♝', knight: '♞' };
    return new Promise(resolve => {
        $('promotion').replaceChildren(...Object.entries(glyphs).map(([role, glyph]) => {
            const button = document.createElement('button');
            button.textContent = glyph;
            button.title = role;
            button.onclick = () => { $('promotion').hidden = true; resolve(role); };
            return button;
        }));
        $('promotion').hidden = false;
        $('promotion').firstChild.focus();
    });
}

async function moved(from, to) {
    const { position } = game.at(), move = { from: parseSquare(from), to: parseSquare(to) };
    const row = to[1], isPawn = position.board.get(move.from)?.role === 'pawn';
    if (isPawn && (row === '1' || row === '8'))
        move.promotion = await choosePromotion(position.turn);
    game.play(move);
    changed();
}

/* Engine. One task runs at a time; a new one stops the old one and waits for its end. */

function begin(task) {
    end();
    const isMine = {};
    wanted = task;
    begin.token = isMine;
    $('analyse').textContent = task === 'analyse' ? 'Stop' : 'Analyse';
    worker = worker.then(() => (begin.token === isMine ? (task === 'play' ? playMove : analyse)(isMine) : null))
        .catch(error => {
            if (isCurrent(isMine))
                end();
            say(String(error));
        });
    return worker;
}

function end() {
    if (wanted !== null)
        engine.send('stop');
    wanted = null;
    begin.token = null;
    $('analyse').textContent = 'Analyse';
}

const isCurrent = token => begin.token === token;

/* Searches, and shows the table meanwhile. Returns the best move; null when the task ends before the search begins. Throws
 * when the engine refuses the position: it would search its old one. */
async function search(limits, token) {
    const fen = shownFen(), isWhite = game.at().position.turn === 'white';
    engine.send(game.command());
    const answer = await engine.ask('isready', line => line === 'readyok');
    if (!isCurrent(token))
        return null;
    const refusal = answer.find(line => line.startsWith('info string error: '));
    if (refusal)
        throw new Error(refusal.slice('info string error: '.length));
    const searching = engine.ask('go ' + limits, line => line.startsWith('bestmove'), line => {
        const info = parseInfo(line);
        if (info && isCurrent(token))
            showInfo(info, fen, isWhite);
    });
    const nodes = await watchTable(searching, fen);
    searched += nodes;
    const lines = await searching;
    return lines[lines.length - 1].split(' ')[1];
}

/* A search with a time limit, so that the next one ages the table, as in a game. */
async function analyse(token) {
    if (!game.at().position.isEnd())
        await search(`movetime ${ANALYSIS_MS}`, token);
    if (isCurrent(token))
        end();
}

async function playMove(token) {
    const best = await search('movetime 1000', token);
    if (!isCurrent(token))
        return;
    wanted = null;
    const move = parseUci(best);
    if (move && game.play(move))
        changed();
}

function scoreText(info, isWhite) {
    const sign = isWhite ? 1 : -1;
    if (info.mate !== null)
        return `${sign * info.mate > 0 ? '' : '-'}#${Math.abs(info.mate)}`;
    const pawns = sign * info.cp / 100;
    return (pawns > 0 ? '+' : '') + pawns.toFixed(2);
}

function showInfo(info, fen, isWhite) {
    $('status').textContent = `depth ${info.depth}, ${short(info.nodes)} nodes, ${short(info.nps)}/s`;
    if (info.isBound)
        return;
    if (info.rank === 1 && info.wdl) {
        const wdl = isWhite ? info.wdl : [...info.wdl].reverse();
        [...$('wdl').children].forEach((part, i) => {
            part.style.width = `${wdl[i] / 10}%`;
            part.textContent = wdl[i] >= 80 ? `${Math.round(wdl[i] / 10)} %` : '';
        });
    }
    let row = $('lines').children[info.rank - 1];
    while (!row) {
        const made = document.createElement('div');
        made.className = 'line';
        made.append(document.createElement('b'), document.createElement('span'), document.createElement('small'));
        $('lines').append(made);
        row = $('lines').children[info.rank - 1];
    }
    row.children[0].textContent = scoreText(info, isWhite);
    row.children[1].textContent = row.children[1].title = lineToSan(fen, info.pv);
    row.children[2].textContent = info.depth;
    row.children[1].onclick = () => { game.play(parseUci(info.pv[0])); changed(); };
    if (info.rank === 1 && parseUci(info.pv[0]))
        board.setAutoShapes([{ orig: info.pv[0].slice(0, 2), dest: info.pv[0].slice(2, 4), brush: 'paleGreen' }]);
}

/* The table. */

/* Shows the table again and again until the search of the position `fen` ends, and once more then. Returns its nodes. */
async function watchTable(searching, fen) {
    let isRunning = true;
    const end = searching.then(() => { isRunning = false; });
    for (;;) {
        const isLast = !isRunning, begin = performance.now(), nodes = await showTable(fen);
        if (isLast)
            return nodes;
        const pause = Math.min(LIVE_MAX_MS, Math.max(LIVE_MS, 10 * (performance.now() - begin))); // leaves time to the search
        await Promise.race([end, new Promise(resolve => setTimeout(resolve, pause))]);
    }
}

/* Adds a point to the last curve; when there are many, drops every second one. */
function addPoint(point) {
    const run = runs[runs.length - 1];
    if (!run)
        return; // clearTable() will begin the first one
    run.points.push(point);
    if (run.points.length > POINTS_MAX)
        run.points = run.points.filter((_, i) => i % 2 === 0 || i === run.points.length - 1);
}

/* Draws the table. `fen` is the position of the running search, or of the one that has just ended; null: there is none. */
async function showTable(fen) {
    const lines = await engine.ask('hash live', line => line.startsWith('{"live"'));
    const live = parseLive(lines[lines.length - 1]), nodes = fen !== null ? live.nodes : 0;
    drawLevels($('levels'), live.levels);
    drawWritten($('written'), fen !== null ? live.written : null);
    addPoint({ nodes: searched + nodes, full: live.levels.map(level => 1 - level.empty / level.total) });
    drawCurve($('curve'), $('runs'), runs);
    const isShown = fen === shownFen(); // else a click would play moves of the old position
    $('known').textContent = isShown ? `${numbered(live.fen, live.line) || '-'} (${live.end})` : '-';
    drawTree($('tree'), isShown ? live.tree : [], sans => { sans.every(san => game.playSan(san)); changed(); });
    return nodes;
}

/* Begins a new curve with an empty table; the curve of the scheme before stays for comparison. Resolves when the table is
 * empty; what the engine was doing then begins again. */
function clearTable() {
    const again = wanted;
    end();
    const cleared = worker = worker.then(async () => {
        engine.send(`setoption name Hash value ${$('hash').value}`);
        engine.send(`setoption name Replacement value ${$('scheme').value}`);
        engine.send('ucinewgame');
        searched = 0;
        const label = `${$('scheme').value} ${$('hash').value} MiB`;
        runs = [...runs.filter(run => run.label !== label && run.points.length > 1), { label, points: [] }].slice(-RUNS_MAX);
        await showTable(null);
    });
    if (again !== null)
        begin(again);
    return cleared;
}

/* Controls. */

$('first').onclick = () => goTo(0);
$('back').onclick = () => goTo(game.ply - 1);
$('forward').onclick = () => goTo(game.ply + 1);
$('last').onclick = () => goTo(game.moves.length);
$('flip').onclick = () => board.toggleOrientation();
$('new').onclick = () => load(() => new Game());
$('link').onclick = async () => {
    try {
        await navigator.clipboard.writeText(location.href);
        say('The link is in the clipboard.');
    } catch (error) {
        say('Copy the address of this page.');
    }
};
$('analyse').onclick = () => wanted === 'analyse' ? end() : begin('analyse');
$('play').onclick = () => begin('play');
$('fen').onchange = () => load(() => new Game($('fen').value));
$('read').onclick = () => load(() => Game.fromPgn($('pgn').value));
$('write').onclick = () => { $('pgn').value = game.toPgn(); };
$('clear').onclick = $('scheme').onchange = $('hash').onchange = clearTable;
$('multipv').onchange = () => {
    engine.send(`setoption name MultiPV value ${$('multipv').value}`);
    $('lines').replaceChildren();
    if (wanted === 'analyse')
        begin('analyse');
};
$('threads').onchange = () => {
    engine.send(`setoption name Threads value ${$('threads').value}`);
    if (wanted === 'analyse')
        begin('analyse');
};
const KEYS = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last', ArrowUp: 'first', ArrowDown: 'last', f: 'flip',
    ' ': 'analyse', Enter: 'play' };
document.addEventListener('keydown', event => {
    const isTyping = event.target.closest('input, textarea, select, button, summary');
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key])
        return;
    event.preventDefault();
    $(KEYS[event.key]).click();
});
$('licences').ontoggle = async () => { $('licences').lastElementChild.textContent = await unpackText('texts'); };
addEventListener('hashchange', () => load(() => Game.fromLink(location.hash.slice(1))));

/* Says which build of the engine runs. One processor is left to the page, unless there is only one. */
function showBuild(lines) {
    const most = Number(lines.find(line => line.startsWith('option name Threads ')).split(' max ')[1]);
    const counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64].filter(count => count < most);
    const chosen = counts[counts.length - 1] ?? 1;
    $('build').textContent = `${engine.choice.threads ? 'With threads' : 'One thread'}: ${engine.choice.why}.`;
    $('several').hidden = !engine.choice.threads;
    $('threads').replaceChildren(...counts.concat(most).map(count => new Option(count, count, false, count === chosen)));
    engine.send(`setoption name Threads value ${chosen}`);
}

async function start() {
    const link = location.hash.slice(1); // before show() writes its own
    show(); // this game stays when the link is faulty
    load(() => Game.fromLink(link));
    engine = window.palimpsest = new Engine(); // also for the tests
    await engine.ready;
    const lines = await engine.ask('uci', line => line === 'uciok');
    const schemes = lines.find(line => line.startsWith('option name Replacement ')).split(' var ').slice(1);
    $('scheme').replaceChildren(...schemes.map(name => new Option(name.trim(), name.trim())));
    showBuild(lines);
    engine.send('setoption name UCI_ShowWDL value true');
    engine.send('setoption name UCI_Chess960 value true'); // castling as chessops writes it
    engine.send(`setoption name MultiPV value ${$('multipv').value}`);
    await clearTable();
    $('status').textContent = 'ready';
    document.body.dataset.ready = Math.round(performance.now());
    if (location.protocol.startsWith('http') && 'serviceWorker' in navigator)
        navigator.serviceWorker.register('sw.js').catch(() => {});
}
start().catch(error => { $('status').textContent = 'failed'; say(String(error)); });
