# SPDX-License-Identifier: GPL-3.0-or-later
"""What a UCI engine must answer: a model of the protocol, and the check of a session against it.

The model is written from the UCI specification (Kahlen and Meyer-Kahlen 2004) and from the promises of
src/uci/README.md, not from the engine's source. `Model` follows the lines that a client sends and knows, for each `go`,
the position, the options and the limits that it must use. `check()` compares the answers with that.
"""
import re
from rules import START, Position, parse_fen, perft

WORDS = ('searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft').split()
CLOCK_MAX = 255  # the engine counts moves without capture and pawn move up to here
READY_S = 2.0  # `readyok` and a stopped search's `bestmove` come within this time


def numbers_of(words):
    """The arguments of `go` as {word: value}; a value is a list of words."""
    found, name = {}, None
    for word in words:
        if word in WORDS:
            name = word
            found[name] = []
        elif name is not None:
            found[name].append(word)
    return found


class Search:
    """One `go` that must be answered by one bestmove."""

    def __init__(self, sent, words, model):
        self.sent = sent                # place of its line in the session's log
        self.line = 'go ' + ' '.join(words)
        self.pos, self.path = model.pos, list(model.path)
        self.options = dict(model.options)
        given = numbers_of(words)
        self.allowed = self.pos.moves()
        if 'searchmoves' in given and given['searchmoves']:
            named = [self.pos.find(w, self.chess960) for w in given['searchmoves']]
            self.allowed = [m for m in named if m is not None]
        self.numbers = {name: int(given[name][0]) for name in given
                        if given[name] and re.fullmatch(r'-?\d+', given[name][0])}
        self.ponders = 'ponder' in given
        self.limits = [n for n in given if n not in ('ponder', 'infinite', 'searchmoves')]
        self.infinite = 'infinite' in given or not (self.limits or self.ponders)

    @property
    def chess960(self):
        return self.options['UCI_Chess960'] == 'true'

    def ends_soon(self):
        """True if it ends by itself within a second or so."""
        return not self.infinite and not self.ponders and any(n != 'mate' for n in self.limits)


class Model:
    """The state of the engine after the lines sent so far. Orders run one after the other, so it does not depend on
    time. `expected` has (place in the log, regular expression): answers that come in this order."""
    STOPPING = 'go ucinewgame why threat perft bench'.split()
    ENDING = 'setoption stats hash tb memory'.split()

    def __init__(self):
        self.options = {'Hash': '16', 'Threads': '1', 'MultiPV': '1', 'UCI_Chess960': 'false', 'UCI_ShowWDL': 'false',
                        'Replacement': 'TwoDeep', 'UCI_LimitStrength': 'false'}
        self.ranges = {'Hash': 33554432, 'Threads': 1024, 'MultiPV': 256}
        self.pos = parse_fen(START)
        self.path = [self.pos]  # the game up to `pos`
        self.searches, self.expected, self.readies = [], [], []
        self.effects = []       # (place, 'stops' | 'ends' | 'waits') of the orders that do not run beside a search
        self.saves = 0

    def send(self, at, line):
        words = line.split()
        order, words = words[0], words[1:]
        if order in self.STOPPING:
            self.effects.append((at, 'stops'))
        elif order in self.ENDING:
            self.effects.append((at, 'ends'))
        elif order == 'wait':
            self.effects.append((at, 'waits'))
        run = getattr(self, 'run_' + order, None)
        if run is not None:
            run(at, words)

    def expect(self, at, pattern):
        self.expected.append((at, re.compile(pattern)))

    def run_isready(self, at, words):
        self.readies.append(at)

    def run_uci(self, at, words):
        self.expect(at, '^uciok$')

    def run_d(self, at, words):
        pos = self.pos
        legal_ep = pos.ep if any(m[3] == 'ep' for m in pos.moves()) else None
        shown = Position(pos.board, pos.side, pos.rooks, legal_ep, min(pos.clock, CLOCK_MAX), pos.number)
        self.expect(at, '^Fen: ' + re.escape(shown.fen(self.options['UCI_Chess960'] == 'true')) + '$')

    def run_position(self, at, words):
        """A FEN that is refused changes nothing; of a list of moves, those before the first illegal one are played."""
        if words[:1] not in (['startpos'], ['fen']):
            self.expect(at, '^info string error: position needs')
            return
        moves = words[words.index('moves') + 1:] if 'moves' in words else []
        fen = ' '.join(words[1:words.index('moves') if 'moves' in words else None])
        chess960 = self.options['UCI_Chess960'] == 'true'
        if fen.startswith('BAD'):  # written so by the generator: the text after it is no position
            self.expect(at, '^info string error: position fen: ')
            return
        self.pos = parse_fen(fen if words[0] == 'fen' else START, chess960)
        self.path = [self.pos]
        for ply, word in enumerate(moves, 1):
            move = self.pos.find(word, chess960)
            if move is None:
                self.expect(at, f'^info string error: .*illegal move {re.escape(word[:10])} at ply {ply}$')
                return
            self.pos = self.pos.play(move)
            self.path.append(self.pos)

    def run_flip(self, at, words):
        self.pos = self.pos.flipped()
        self.path = [self.pos]

    def run_go(self, at, words):
        given = numbers_of(words)
        if 'perft' in given:
            depth = int(given['perft'][0])
            self.run_perft(at, [depth])
            return
        if any(n in given and (given[n] + ['x'])[0] in ('0', 'nan', 'x') and n not in ('wtime', 'btime')
               for n in ('depth', 'nodes', 'mate')) or given.get('movestogo') == ['nan']:
            self.expect(at, '^info string error: go ')
        self.searches.append(Search(at, words, self))

    def run_perft(self, at, words):
        self.expect(at, f'^(Nodes searched: {perft(self.pos, int(words[0]))}|info string perft was stopped)$')

    def run_hash(self, at, words):
        if words[0] == 'stats':
            self.expect(at, rf"^Size +{self.options['Hash']} MiB")
            self.expect(at, rf"^Replacement +{self.options['Replacement']}$")
        elif words[0] == 'load':
            self.expect(at, '^info string (error: )?hash load: ')
        elif words[0] == 'save':
            self.saves += 1

    def run_setoption(self, at, words):
        value = words.index('value') if 'value' in words else len(words)
        name, text = ' '.join(words[1:value]), ' '.join(words[value + 1:])
        if name in ('Clear Hash', 'Ponder', 'Move Overhead'):
            return
        if name not in self.options:
            self.expect(at, f"^info string error: there is no option '{re.escape(name)}'$")
        elif name in self.ranges:
            if not re.fullmatch(r'-?\d+', text):
                self.expect(at, f'^info string error: option {name}: ')
                return
            number = min(max(int(text), 1), self.ranges[name])
            if number != int(text):
                self.expect(at, f'^info string option {name}: {re.escape(text)} is out of range')
            self.options[name] = str(number)
        elif text in ('true', 'false') or name == 'Replacement':
            self.options[name] = text
        else:
            self.expect(at, f'^info string error: option {name}: ')


# ---- The check ----

class Line:
    """One `info` line with a principal variation, or the `depth 0` line of a position without moves."""

    def __init__(self, text):
        self.text = text
        words = text.split()
        self.pv = words[words.index('pv') + 1:] if 'pv' in words else []
        head = words[:words.index('pv')] if 'pv' in words else words
        self.value = {w: int(n) for w, n in zip(head, head[1:])
                      if w in ('depth', 'seldepth', 'multipv', 'nodes', 'time', 'hashfull', 'cp', 'mate')}
        self.is_bound = 'lowerbound' in head or 'upperbound' in head
        self.has_wdl = 'wdl' in head


class Check:
    """Compares one session with the model. `log` has (time, '>' or '<', text) in the order of events."""

    def __init__(self, model, log, timely, slow=1):
        self.model, self.log, self.timely, self.limit_s = model, log, timely, READY_S * slow
        self.found = []  # (kind, text)

    def bad(self, kind, text):
        self.found.append((kind, text))

    def run(self):
        lines = [(at, text) for at, (_, way, text) in enumerate(self.log) if way == '<']
        self.bests = [at for at, text in lines if text.startswith('bestmove')]
        self.readies = [at for at, text in lines if text == 'readyok']
        self.check_searches(lines)
        self.check_readies()
        self.check_expected(lines)
        return self.found

    # -- searches --

    def check_searches(self, lines):
        searches = self.model.searches
        if len(self.bests) != len(searches):
            self.bad('bestmove count', f'{len(searches)} times go, {len(self.bests)} times bestmove')
        before = 0
        for number, search in enumerate(searches[:len(self.bests)]):
            end = self.bests[number]
            own = [Line(text) for at, text in lines
                   if before <= at < end and re.match(r'info depth \d+ (?!currmove)', text)]
            name = f'search {number + 1} ({search.line[:60]})'
            self.check_lines(name, search, own)
            self.check_best(name, search, own, self.log[end][2].split())
            self.check_release(name, search, end, number)
            before = end

    def check_best(self, name, search, own, words):
        chess960 = search.chess960
        if not search.allowed:
            if words[1] not in ('(none)', '0000'):
                self.bad('bestmove without moves', f'{name}: {words}')
            return
        move = search.pos.find(words[1], chess960)
        if move is None or search.pos.text(move, chess960) != words[1]:
            self.bad('bestmove illegal', f'{name}: {words[1]} in {search.pos.fen(chess960)}')
            return
        if move not in search.allowed:
            self.bad('bestmove not of searchmoves', f'{name}: {words[1]}')
        first = [line for line in own if line.value.get('multipv', 1) == 1]
        if not first or not first[-1].pv:
            self.bad('bestmove without a line', name)
        elif first[-1].pv[:len(words[1::2])] != words[1::2]:
            self.bad('bestmove is not the PV', f'{name}: {words} after {first[-1].text[-80:]}')

    def check_lines(self, name, search, own):
        depths, latest = {}, {}
        positions = {(): search.pos}
        ranks = min(int(search.options['MultiPV']), len(search.allowed))
        for line in own:
            value = line.value
            if not line.pv:
                if search.allowed or value['depth'] != 0:
                    self.bad('line without PV', f'{name}: {line.text}')
                continue
            rank = value['multipv']
            if value['depth'] < depths.get(rank, 0) and not self.may_fall(search, line is own[-1]):
                self.bad('depth falls', f'{name}: from {depths[rank]} to: {line.text[:90]}')
            depths[rank] = value['depth']
            for what in ('nodes', 'time'):
                if value[what] < latest.get(what, 0):
                    self.bad(what + ' falls', f'{name}: from {latest[what]} to: {line.text[:90]}')
                latest[what] = value[what]
            if rank > ranks:
                self.bad('rank of a line', f'{name}: {rank} of {ranks}: {line.text[:90]}')
            if value['seldepth'] < value['depth'] or not 0 <= value['hashfull'] <= 1000:
                self.bad('numbers of a line', f'{name}: {line.text[:90]}')
            if line.has_wdl != (search.options['UCI_ShowWDL'] == 'true'):
                self.bad('option UCI_ShowWDL', f'{name}: {line.text[:90]}')
            self.check_limits(name, search, line)
            self.check_pv(name, search, line, positions)

    def may_fall(self, search, is_last):
        """Where src/uci/README.md allows a line of less depth than the one before: the last line, if it is that of another
        thread. The second case, a long search that is stopped in an iteration that was about to lose, does not occur in
        these short ones."""
        return is_last and int(search.options['Threads']) > 1 and search.options['MultiPV'] == '1'

    def check_limits(self, name, search, line):
        value, numbers = line.value, search.numbers
        mate = value.get('mate')
        if value['depth'] > max(numbers.get('depth', 999), 1) and mate is None:
            self.bad('limit depth', f'{name}: {line.text[:90]}')
        if value['nodes'] > max(numbers.get('nodes', 1 << 60), 1) and value['depth'] > 1 and \
                search.options['Threads'] == '1':
            self.bad('limit nodes', f'{name}: {line.text[:90]}')

    def check_pv(self, name, search, line, positions):
        """Every move must be legal, and the game must not be over before the last one. A mate has all its moves."""
        chess960, pos, done = search.chess960, search.pos, ()
        # If nobody has claimed the draw, the game ends after 75 moves.
        last_clock = 100 if pos.clock < 100 else max(150, pos.clock + 1)
        for word in line.pv:
            done += (word,)
            if done not in positions:
                move = pos.find(word, chess960)
                if move is None or pos.text(move, chess960) != word:
                    self.bad('PV illegal', f'{name}: {word} in {line.text[-120:]} of {search.pos.fen(chess960)}')
                    return
                if len(done) == 1 and move not in search.allowed:
                    self.bad('PV not of searchmoves', f'{name}: {word}')
                positions[done] = pos.play(move)
            pos = positions[done]
            if len(done) < len(line.pv) and (pos.is_dead() or pos.clock >= last_clock):
                self.bad('PV after the end', f'{name}: {word} in {line.text[-120:]} of {search.pos.fen(chess960)}')
                return
        mate = line.value.get('mate')
        if mate is None or line.is_bound:
            return
        if len(line.pv) != (2 * mate - 1 if mate > 0 else -2 * mate):
            self.bad('length of a mate', f'{name}: {line.text}')
        elif pos.moves() or not pos.in_check():
            self.bad('no mate', f'{name}: {line.text}')

    def check_release(self, name, search, end, number):
        """An infinite search, and one that ponders, is answered after a stop, a hit or an order that stops it. A stop is
        answered at once."""
        sent = [(at, text.split()[0]) for at, (_, way, text) in enumerate(self.log)
                if way == '>' and at > search.sent]
        stops = [at for at, word in sent if word in ('stop', 'quit', 'close') + tuple(self.model.STOPPING)]
        hits = [at for at, word in sent if word == 'ponderhit']
        releases = stops + (hits if search.ponders and not search.infinite else [])
        if (search.ponders or search.infinite) and min(releases, default=end) >= end:
            self.bad('bestmove before its time', name)
        start = max(search.sent, self.bests[number - 1] if number else 0)
        answers = [at for at, _ in sent if at in stops and at > start]
        if answers and self.timely and self.log[end][0] - self.log[answers[0]][0] > self.limit_s:
            self.bad('time of bestmove', f'{name}: {self.log[end][0] - self.log[answers[0]][0]:.1f} s after a stop')
        limit = search.numbers.get('movetime') if search.limits == ['movetime'] and not search.ponders else None
        if limit is not None and not search.infinite and self.timely and \
                self.log[end][0] - self.log[start][0] > limit / 1000 + self.limit_s:
            self.bad('time of bestmove', f'{name}: {self.log[end][0] - self.log[start][0]:.1f} s')

    # -- isready --

    def check_readies(self):
        asked = self.model.readies
        if len(asked) != len(self.readies):
            self.bad('readyok count', f'{len(asked)} times isready, {len(self.readies)} times readyok')
        for at, answer in zip(asked, self.readies):
            if answer < at:
                self.bad('readyok before isready', f'line {at}')
            late = self.log[answer][0] - self.log[at][0]
            if self.timely and late > self.limit_s:
                self.bad('time of readyok', f'{late:.1f} s after line {at}')
            for search, best in zip(self.model.searches, self.bests):
                if search.sent < at and best > answer and \
                        any(search.sent < place < at and effect != 'ends' for place, effect in self.model.effects):
                    self.bad('readyok too early', f'before the bestmove of {search.line}, which was stopped before')

    def may_overtake(self, place, at, answer):
        """The exception that src/uci/README.md names: `readyok` does not wait for an order that itself waits, perhaps
        after another order, for the end of a running search."""
        for search, best in zip(self.model.searches, self.bests):
            if search.sent < place and best > answer:
                between = [(p, e) for p, e in self.model.effects if search.sent < p < at]
                return all(e == 'ends' for _, e in between) and any(p <= place for p, _ in between)
        return False

    def check_expected(self, lines):
        """The expected answers come, each once and in order, and before the readyok of a later isready."""
        rest = iter(lines)
        for place, pattern in self.model.expected:
            found = next((at for at, text in rest if pattern.search(text)), None)
            if found is None:
                self.bad('answer missing', f'{pattern.pattern} after: {self.log[place][2][:80]}')
                return
            for at, answer in zip(self.model.readies, self.readies):
                if place < at and answer < found and not self.may_overtake(place, at, answer):
                    self.bad('readyok too early', f'before {pattern.pattern}')
        saved = sum(bool(re.match('info string (error: )?hash save: ', text)) for _, text in lines)
        saved -= sum(bool(re.match(r'info string hash save: \d+%', text)) for _, text in lines)
        if saved != self.model.saves:
            self.bad('hash save count', f'{self.model.saves} saves, {saved} answers')
