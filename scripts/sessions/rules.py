# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess and Chess960, for the oracle of this folder: legal moves, FEN, draws.

In Python, slow and simple, on purpose: it shares no code and no idea with the engine, so the two do not make the same
mistake. A board is a list of 64 letters as in a FEN ('.' is empty), square 0 is a1, 63 is h8. A move is a tuple (from,
to, promotion letter or '', kind), kind one of '', 'ep', 'double', 'castle'; castling goes from the king to its rook.

`rules.py` alone counts the leaf nodes of positions whose numbers are published (Chess Programming Wiki, "Perft
Results", "Chess960 Perft Results") and fails if one differs; an argument limits the nodes of a count.
"""
import sys

START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ALL = STRAIGHT + DIAGONAL
NAMES = [file + rank for rank in '12345678' for file in 'abcdefgh']
SQUARE = {name: square for square, name in enumerate(NAMES)}


def _ray(square, step):
    file, rank, found = square % 8, square // 8, []
    while 0 <= file + step[0] < 8 and 0 <= rank + step[1] < 8:
        file, rank = file + step[0], rank + step[1]
        found.append(rank * 8 + file)
    return found


RAYS = {letter: [[_ray(s, step) for step in steps] for s in range(64)]
        for letter, steps in (('r', STRAIGHT), ('b', DIAGONAL), ('q', ALL))}
HOPS = {letter: [[ray[0] for ray in (_ray(s, step) for step in steps) if ray] for s in range(64)]
        for letter, steps in (('n', KNIGHT), ('k', ALL))}
PAWN_FROM = {color: [[ray[0] for ray in (_ray(s, (d, -up)) for d in (-1, 1)) if ray] for s in range(64)]
             for color, up in (('w', 1), ('b', -1))}  # squares from which a pawn of this colour attacks s


class Position:
    """A position; `rooks` maps each castling right (K Q k q) to the square of its rook."""
    __slots__ = 'board', 'side', 'rooks', 'ep', 'clock', 'number', '_moves'

    def __init__(self, board, side, rooks, ep, clock, number):
        self.board, self.side, self.rooks = board, side, rooks
        self.ep, self.clock, self.number = ep, clock, number
        self._moves = None

    def king(self, side):
        return self.board.index('K' if side == 'w' else 'k')

    def key(self):
        """What must be equal in a repetition: an en passant square counts only if a capture there is legal."""
        ep = self.ep if self.ep is not None and any(m[3] == 'ep' for m in self.moves()) else None
        return ''.join(self.board), self.side, tuple(sorted(self.rooks.items())), ep

    def in_check(self):
        return attacked(self.board, self.king(self.side), other(self.side))

    def moves(self):
        if self._moves is None:
            self._moves = [m for m in _pseudo_moves(self) if not _exposes_king(self, m)]
        return self._moves

    def play(self, move):
        board, rooks = self.board[:], dict(self.rooks)
        start, to, promotion, kind = move
        piece, victim = board[start], board[to]
        _move_men(board, self.side, move)
        if piece in 'Kk':
            for right in ('KQ' if piece == 'K' else 'kq'):
                rooks.pop(right, None)
        for right, square in list(rooks.items()):
            if square in (start, to):
                del rooks[right]
        is_zeroing = piece in 'Pp' or (victim != '.' and kind != 'castle')
        return Position(board, other(self.side), rooks, (start + to) // 2 if kind == 'double' else None,
                        0 if is_zeroing else self.clock + 1, self.number + (self.side == 'b'))

    def text(self, move, chess960):
        start, to, promotion, kind = move
        if kind == 'castle' and not chess960:
            to = start // 8 * 8 + (6 if to > start else 2)
        return NAMES[start] + NAMES[to] + promotion

    def find(self, text, chess960):
        """The legal move with this text, or None. An ordinary move comes before castling, and castling in the form of
        this mode (king takes rook in Chess960) before the other form."""
        fits = [m for m in self.moves() if m[3] != 'castle' and self.text(m, False) == text]
        for form in (chess960, not chess960):
            fits += [m for m in self.moves() if m[3] == 'castle' and self.text(m, form) == text]
        return fits[0] if fits else None

    def flipped(self):
        """The same position with colours exchanged."""
        board = [self.board[s ^ 56].swapcase() for s in range(64)]
        rooks = {right.swapcase(): square ^ 56 for right, square in self.rooks.items()}
        return Position(board, other(self.side), rooks, None if self.ep is None else self.ep ^ 56, self.clock,
                        self.number)

    def is_dead(self):
        """Neither side can ever mate: bare kings, or one minor piece, or bishops of one square colour only."""
        men = [(p.lower(), (s % 8 + s // 8) % 2) for s, p in enumerate(self.board) if p not in '.Kk']
        return not men or (len(men) == 1 and men[0][0] in 'nb') or \
            (all(p == 'b' for p, _ in men) and len({shade for _, shade in men}) == 1)

    def fen(self, chess960):
        ranks = []
        for rank in range(7, -1, -1):
            text = ''.join(self.board[rank * 8:rank * 8 + 8])
            for n in range(8, 0, -1):
                text = text.replace('.' * n, str(n))
            ranks.append(text)
        rights = ''.join(r if not chess960 else
                         (NAMES[self.rooks[r]][0].upper() if r in 'KQ' else NAMES[self.rooks[r]][0])
                         for r in 'KQkq' if r in self.rooks)
        ep = '-' if self.ep is None else NAMES[self.ep]
        return f"{'/'.join(ranks)} {self.side} {rights or '-'} {ep} {self.clock} {self.number}"


def other(side):
    return 'b' if side == 'w' else 'w'


def attacked(board, square, by):
    """True if a man of the side `by` attacks the square."""
    own = str.upper if by == 'w' else str.lower
    if any(board[s] == own('p') for s in PAWN_FROM[by][square]):
        return True
    if any(board[s] == own(letter) for letter in 'nk' for s in HOPS[letter][square]):
        return True
    for letter in 'rb':
        for ray in RAYS[letter][square]:
            for s in ray:
                if board[s] != '.':
                    if board[s] in (own(letter), own('q')):
                        return True
                    break
    return False


def _move_men(board, side, move):
    start, to, promotion, kind = move
    piece = board[start]
    board[start] = '.'
    if kind == 'castle':
        rook, home = board[to], start // 8 * 8
        board[to] = '.'
        board[home + (6 if to > start else 2)] = piece
        board[home + (5 if to > start else 3)] = rook
        return
    if kind == 'ep':
        board[to + (-8 if side == 'w' else 8)] = '.'
    board[to] = (promotion.upper() if side == 'w' else promotion) if promotion else piece


def _exposes_king(pos, move):
    board = pos.board[:]
    _move_men(board, pos.side, move)
    return attacked(board, board.index('K' if pos.side == 'w' else 'k'), other(pos.side))


def _pawn_moves(pos, start):
    board, up = pos.board, 8 if pos.side == 'w' else -8
    rank, enemy = start // 8, str.islower if pos.side == 'w' else str.isupper
    found = []
    if board[start + up] == '.':
        found.append((start, start + up, ''))
        if rank == (1 if pos.side == 'w' else 6) and board[start + 2 * up] == '.':
            yield start, start + 2 * up, '', 'double'
    for to in PAWN_FROM[other(pos.side)][start]:
        if enemy(board[to]):
            found.append((start, to, ''))
        elif to == pos.ep:
            yield start, to, '', 'ep'
    for start, to, _ in found:
        if to // 8 in (0, 7):
            for promotion in 'qrbn':
                yield start, to, promotion, ''
        else:
            yield start, to, '', ''


def _castlings(pos):
    board, king = pos.board, pos.king(pos.side)
    for right, rook in pos.rooks.items():
        if right.isupper() != (pos.side == 'w'):
            continue
        home = king // 8 * 8
        king_to, rook_to = (home + 6, home + 5) if rook > king else (home + 2, home + 3)
        between = range(min(king, rook, king_to, rook_to), max(king, rook, king_to, rook_to) + 1)
        way = range(min(king, king_to), max(king, king_to) + 1)
        if all(board[s] == '.' or s in (king, rook) for s in between) and \
                not any(attacked(board, s, other(pos.side)) for s in way):
            yield king, rook, '', 'castle'


def _pseudo_moves(pos):
    board, own = pos.board, str.isupper if pos.side == 'w' else str.islower
    for start in range(64):
        piece = board[start]
        if not own(piece):
            continue
        letter = piece.lower()
        if letter == 'p':
            yield from _pawn_moves(pos, start)
        elif letter in HOPS:
            for to in HOPS[letter][start]:
                if not own(board[to]):
                    yield start, to, '', ''
        else:
            for ray in RAYS[letter][start]:
                for to in ray:
                    if not own(board[to]):
                        yield start, to, '', ''
                    if board[to] != '.':
                        break
    yield from _castlings(pos)


def parse_fen(text, chess960=False):
    """The position of a FEN that has no faults but castling rights without king and rook in place, which are dropped.
    The clocks may be missing."""
    words = text.split()
    board = []
    for rank in reversed(words[0].split('/')):
        for letter in rank:
            board += '.' * int(letter) if letter.isdigit() else letter
    assert len(board) == 64, text
    rooks = {}
    for letter in words[2] if len(words) > 2 and words[2] != '-' else '':
        right, square = _castling_right(board, letter, chess960)
        if right is not None:
            rooks.setdefault(right, square)
    ep = SQUARE[words[3]] if len(words) > 3 and words[3] != '-' else None
    clock, number = (int(w) for w in (words[4:6] + ['0', '1'][len(words[4:6]):]))
    return Position(board, words[1], rooks, ep, clock, number)


def _castling_right(board, letter, chess960):
    home, own = (0, str.upper) if letter.isupper() else (56, str.lower)
    king = board.index(own('k'))
    if king // 8 * 8 != home:
        return None, None
    rooks = [s for s in range(home, home + 8) if board[s] == own('r')]
    wing = letter.upper()
    if not chess960:
        square = home + 7 if wing in 'KH' else home if wing in 'QA' else None
        if king != home + 4 or square not in rooks:
            return None, None
    elif wing in 'KQ':
        fits = [s for s in rooks if (s > king) == (wing == 'K')]
        if not fits:
            return None, None
        square = max(fits) if wing == 'K' else min(fits)
    else:
        square = home + 'ABCDEFGH'.index(wing)
        if square not in rooks:
            return None, None
    return own('k') if square > king else own('q'), square


def perft(pos, depth):
    if depth == 1:
        return len(pos.moves())
    return sum(perft(pos.play(m), depth - 1) for m in pos.moves())


PUBLISHED = [
    (False, START, [20, 400, 8902]),
    (False, 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', [48, 2039, 97862]),
    (False, '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1', [14, 191, 2812, 43238]),
    (False, 'r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1', [6, 264, 9467]),
    (False, 'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8', [44, 1486, 62379]),
    (True, 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9', [21, 528, 12189]),
    (True, '2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9', [21, 807, 18002]),
    (True, 'b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9', [20, 479, 10471]),
    (True, 'qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9', [22, 593, 13440]),
]


def main():
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    bad = 0
    for chess960, fen, counts in PUBLISHED:
        for depth, wanted in enumerate(counts, 1):
            found = perft(parse_fen(fen, chess960), depth) if wanted <= most else wanted
            if found != wanted:
                print(f'{fen}: depth {depth}: {found}, published: {wanted}')
                bad += 1
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
