// SPDX-License-Identifier: GPL-3.0-or-later
/* The game on the board: an initial position, moves in coordinates, and how many of them are played. */
import { Chess, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeUci, parseUci } from 'chessops/util';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import { ChildNode, defaultGame, makePgn, parsePgn, startingPosition } from 'chessops/pgn';

export const positionOf = fen => parseFen(fen).chain(setup => Chess.fromSetup(setup));

export class Game {
    constructor(fen = INITIAL_FEN) {
        this.fen = makeFen(positionOf(fen).unwrap().toSetup());
        this.moves = [];
        this.ply = 0;
    }

    /* The position after `ply` moves, and the last of them. */
    at(ply = this.ply) {
        const position = positionOf(this.fen).unwrap();
        let last = null;
        for (const uci of this.moves.slice(0, ply)) {
            last = parseUci(uci);
            position.play(last);
        }
        return { position, last };
    }

    /* Plays a move; a different continuation replaces the old one. False if it is illegal. */
    play(move) {
        const { position } = this.at(), normal = normalizeMove(position, move);
        if (!position.isLegal(normal))
            return false;
        const uci = makeUci(normal);
        if (this.moves[this.ply] !== uci)
            this.moves = [...this.moves.slice(0, this.ply), uci];
        this.ply++;
        return true;
    }

    playSan(san) {
        const move = parseSan(this.at().position, san);
        return move !== undefined && this.play(move);
    }

    /* All moves in SAN. */
    sans() {
        const position = positionOf(this.fen).unwrap();
        return this.moves.map(uci => makeSanAndPlay(position, parseUci(uci)));
    }

    /* The command `position` for the engine. */
    command() {
        const moves = this.moves.slice(0, this.ply);
        return `position fen ${this.fen}${moves.length > 0 ? ' moves ' + moves.join(' ') : ''}`;
    }

    toLink() {
        const parts = new URLSearchParams();
        if (this.fen !== INITIAL_FEN)
            parts.set('fen', this.fen.replaceAll(' ', '_'));
        if (this.moves.length > 0)
            parts.set('moves', this.moves.join('.'));
        if (this.ply !== this.moves.length)
            parts.set('ply', this.ply);
        return decodeURIComponent(parts.toString());
    }

    static fromLink(text) {
        const parts = new URLSearchParams(text);
        const game = new Game((parts.get('fen') ?? INITIAL_FEN).replaceAll('_', ' '));
        for (const uci of (parts.get('moves') ?? '').split('.').filter(word => word !== ''))
            if (!parseUci(uci) || !game.play(parseUci(uci)))
                break;
        const ply = Number(parts.get('ply') ?? game.moves.length);
        game.ply = Math.max(0, Math.min(game.moves.length, Number.isInteger(ply) ? ply : 0));
        return game;
    }

    toPgn() {
        const pgn = defaultGame();
        if (this.fen !== INITIAL_FEN) {
            pgn.headers.set('SetUp', '1');
            pgn.headers.set('FEN', this.fen);
        }
        let node = pgn.moves;
        for (const san of this.sans()) {
            const child = new ChildNode({ san });
            node.children.push(child);
            node = child;
        }
        return makePgn(pgn);
    }

    /* The main line of the first game. Throws when there is none, or it begins with an illegal move. */
    static fromPgn(text) {
        const [pgn] = parsePgn(text);
        if (!pgn)
            throw new Error('no game found');
        const game = new Game(makeFen(startingPosition(pgn.headers).unwrap().toSetup()));
        for (const { san } of pgn.moves.mainline())
            if (!game.playSan(san)) {
                if (game.ply === 0)
                    throw new Error(`illegal move ${san}`);
                break;
            }
        return game;
    }
}

/* Moves in SAN with move numbers. */
export function numbered(fen, sans) {
    const { turn, fullmoves } = positionOf(fen).unwrap();
    const first = turn === 'white' ? 0 : 1;
    return sans.map((san, i) => {
        const number = fullmoves + Math.floor((i + first) / 2);
        return ((i + first) % 2 === 0 ? `${number}. ` : i === 0 ? `${number}... ` : '') + san;
    }).join(' ');
}

/* A line of moves in coordinates as SAN with move numbers; stops at the first illegal move. */
export function lineToSan(fen, words) {
    const position = positionOf(fen).unwrap(), sans = [];
    for (const uci of words) {
        const parsed = parseUci(uci), move = parsed && normalizeMove(position, parsed);
        if (!move || !position.isLegal(move))
            break;
        sans.push(makeSanAndPlay(position, move));
    }
    return numbered(fen, sans);
}
