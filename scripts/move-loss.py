#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures search parameters by what the moves of the engine lose, without games.

move-loss.py ENGINE PARAMETERS BOOK OUT [NAME=VALUE ...]

Every step up of a parameter is compared with the step down, all parameters in the same searches (Fisher 1935: a factorial
design). The engine plays a few games against itself from openings of BOOK (EPD). In a run it searches again all positions of
one side of a game, one after the other, with each parameter one step above or below its start, at random. Where runs chose
different moves, each of these moves is scored by a longer search with the parameters at their starts, and a run is judged by
the points that its moves lost against the average of all runs. The row `nodes`, 15% more against 15% less of them, is the
scale: it says what a gain is worth.
  ENGINE is a `make tune` build, perhaps with options ("./palimpsest-tune Hash=64"); PARAMETERS a file of lines as its command
  `tunables` prints them (as for spsa.sh): name, int, start, minimum, maximum, step, and a rate that is not used here. OUT is a
  folder that keeps all results, so that the same command continues after an interruption. More RUNS may follow; all other
  settings must stay.
    ./palimpsest-tune tunables | grep -E '^(rfp|lmr)_' > .data/rfp-lmr
    scripts/move-loss.py ./palimpsest-tune .data/rfp-lmr ../shared/data/book-uho-4060-v4-30k.epd .data/loss RUNS=4000
NAMEs and defaults: RUNS (2000), NODES of a search (100000), LABEL nodes of a longer search (400000), GAMES (260), SEED
(20261130), CONCURRENCY (all processors).
After two runs of a game later runs search only the positions where runs have differed, and those just before them.
Only an independent match (sprt.sh) proves that a change is a gain."""
import collections
import concurrent.futures
import fcntl
import hashlib
import json
import math
import os
import random
import re
import shlex
import sys
import threading
import time

from uci_engine import PROGRAM, Engine, points, usage

PLIES, DECIDED = 70, 300  # a game ends after so many plies, or at such a score in centipawns
WHOLE_RUNS = 2            # of each side of a game, before the positions are selected
LOSS_MAX = 0.25           # points: a greater loss of one move counts as this
NODES_STEP = 0.15

Parameter = collections.namedtuple('Parameter', 'name start low high')
Side = collections.namedtuple('Side', 'opening moves plies')  # one side of a game; plies: those at which it is to move


def read_parameters(path):
    parameters = []
    with open(path) as file:
        for line in file:
            fields = [field.strip() for field in line.split(',')]
            if len(fields) >= 6:
                start, least, most, step = map(float, fields[2:6])
                low, high = (round(min(max(start + sign * step, least), most)) for sign in (-1, 1))
                parameters.append(Parameter(fields[0], round(start), low, high))
    if not parameters:
        sys.exit(f'{PROGRAM}: {path} has no line of a parameter')
    return parameters


def read_openings(path):
    """The FEN of each line: four fields, and the counters if they follow."""
    openings = []
    with open(path, errors='surrogateescape') as file:
        for line in file:
            match = re.match(r'((?:\S+ ){3}[-a-h\d]+)( \d+ \d+)?', line)
            if match:
                openings.append(match[1] + (match[2] or ' 0 1'))
    if not openings:
        sys.exit(f'{PROGRAM}: {path} has no position')
    return openings


class Log:
    """A file of JSON lines, which threads may extend. An unfinished last line is dropped."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.rows = []
        size = 0
        if os.path.exists(path):
            with open(path, 'rb') as file:
                for line in file:
                    if line.endswith(b'\n'):
                        self.rows.append(json.loads(line))
                        size += len(line)
            os.truncate(path, size)
        self.file = open(path, 'a')

    def add(self, row):
        with self.lock:
            self.rows.append(row)
            print(json.dumps(row), file=self.file, flush=True)


class Progress:
    def __init__(self, what, done, total):
        self.what, self.done, self.first, self.total = what, done, done, total
        self.lock = threading.Lock()
        self.start = self.shown = time.monotonic()

    def step(self):
        with self.lock:
            self.done += 1
            now = time.monotonic()
            if now - self.shown < 1 and self.done < self.total:
                return
            left = (now - self.start) / (self.done - self.first) * (self.total - self.done)
            end = '\n' if self.done == self.total else ''
            print(f'\r{self.what} {self.done} of {self.total}, {left / 60:.0f} min left ', end=end, file=sys.stderr, flush=True)
            self.shown = now


def position(opening, moves):
    return f'{opening} moves {" ".join(moves)}' if moves else opening


class Measurement:
    def __init__(self, engine, parameters, openings, out, settings):
        self.command = ' '.join([engine, *(f'{parameter.name}={parameter.start}' for parameter in parameters)])
        self.parameters, self.openings, self.settings = parameters, openings, settings
        self.sides = {}  # (game, first ply): Side
        self.games, self.runs, self.labels = (Log(os.path.join(out, name)) for name in ('games', 'runs', 'labels'))
        self.stopped = False

    def in_parallel(self, tasks, work, progress):
        """Does work(engine, task) for each task, with an engine in each thread."""
        todo, lock = iter(tasks), threading.Lock()

        def thread():
            engine = Engine(self.command)
            while not self.stopped:
                with lock:
                    task = next(todo, None)
                if task is None:
                    break
                work(engine, task)
                progress.step()
            engine.send('quit')
        with concurrent.futures.ThreadPoolExecutor(self.settings['CONCURRENCY']) as pool:
            threads = [pool.submit(thread) for _ in range(self.settings['CONCURRENCY'])]
            try:
                for one in threads:
                    one.result()
            finally:
                self.stopped = True  # after a failure or Ctrl-C the other threads end their task and stop
        self.stopped = False

    def play(self, engine, number):
        """Plays game `number` of the engine against itself."""
        opening = self.openings[random.Random(f'{self.settings["SEED"]} {number}').randrange(len(self.openings))]
        moves = []
        engine.new_game()
        while len(moves) < PLIES:
            move, found = engine.search(position(opening, moves), f'nodes {self.settings["NODES"] // 4}')
            if move == '(none)' or not found or abs(found[-1][2]) > DECIDED:
                break
            moves.append(move)
        self.games.add([number, opening, moves])

    def find_sides(self):
        self.sides = {(number, first): Side(opening, moves, range(first, len(moves), 2))
                      for number, opening, moves in sorted(self.games.rows) for first in (0, 1) if len(moves) > first}
        if not self.sides:
            sys.exit(f'{PROGRAM}: all openings are decided')

    def moves_chosen(self):
        """For each (game, ply) how often each move was chosen."""
        chosen = collections.defaultdict(collections.Counter)
        for run in self.runs.rows:
            for ply, move in run['moves']:
                chosen[run['game'], ply][move] += 1
        return chosen

    def run(self, engine, task):
        """Searches the positions of one side of a game with random levels of the parameters."""
        (game, first), side, plies, seed = task
        rng = random.Random(seed)
        levels = [rng.randrange(2) for _ in range(1 + len(self.parameters))]
        for parameter, level in zip(self.parameters, levels[1:]):
            engine.set_option(parameter.name, parameter.high if level else parameter.low)
        nodes = round(self.settings['NODES'] * (1 + NODES_STEP * (2 * levels[0] - 1)))
        engine.new_game()
        moves = [(ply, engine.search(position(side.opening, side.moves[:ply]), f'nodes {nodes}')[0]) for ply in plies]
        self.runs.add({'game': game, 'first': first, 'levels': levels, 'moves': moves})

    def play_runs(self):
        progress = Progress('runs', len(self.runs.rows), self.settings['RUNS'])
        while len(self.runs.rows) < self.settings['RUNS']:
            done = collections.Counter((run['game'], run['first']) for run in self.runs.rows)
            least = min(done[key] for key in self.sides)
            chosen = self.moves_chosen()
            tasks = []
            for key, side in self.sides.items():
                differs = [len(chosen[key[0], ply]) > 1 for ply in side.plies] + [False]
                plies = [ply for i, ply in enumerate(side.plies) if least < WHOLE_RUNS or differs[i] or differs[i + 1]]
                if done[key] == least:
                    tasks.append((key, side, plies, f'{self.settings["SEED"]} {key} {least}'))
            random.Random(least).shuffle(tasks)
            self.in_parallel(tasks[:self.settings['RUNS'] - len(self.runs.rows)], self.run, progress)

    def score_moves(self, engine, task):
        """Scores the moves of one position, by searches of the positions after them."""
        (game, ply), moves = task
        side = self.sides[game, ply % 2]
        engine.new_game()
        for move in moves:
            _, found = engine.search(position(side.opening, [*side.moves[:ply], move]), f'nodes {self.settings["LABEL"]}')
            self.labels.add([game, ply, move, -found[-1][2]])

    def score_all_moves(self):
        known = {(game, ply, move) for game, ply, move, _ in self.labels.rows}
        tasks = []
        for key, chosen in sorted(self.moves_chosen().items()):
            unknown = [move for move in chosen if (*key, move) not in known]
            if len(chosen) > 1 and unknown:
                tasks.append((key, unknown))
        self.in_parallel(tasks, self.score_moves, Progress('positions scored', 0, len(tasks)))

    def gains(self):
        """For each run the points that its moves gained against the average of all runs."""
        labels = {(game, ply, move): points(score) for game, ply, move, score in self.labels.rows}
        averages = {}
        for key, chosen in self.moves_chosen().items():
            if len(chosen) > 1:
                best = max(labels[(*key, move)] for move in chosen)
                worth = {move: max(labels[(*key, move)] - best, -LOSS_MAX) for move in chosen}
                average = sum(worth[move] * times for move, times in chosen.items()) / sum(chosen.values())
                averages[key] = {move: value - average for move, value in worth.items()}
        return [sum(averages[run['game'], ply][move] for ply, move in run['moves'] if (run['game'], ply) in averages)
                for run in self.runs.rows]

    def measure(self):
        played = {number for number, _, _ in self.games.rows}
        games = [number for number in range(self.settings['GAMES']) if number not in played]
        self.in_parallel(games, self.play, Progress('games', len(played), self.settings['GAMES']))
        self.find_sides()
        self.play_runs()
        self.score_all_moves()
        self.report()

    def report(self):
        gains = self.gains()
        length = sum(len(side.plies) for side in self.sides.values()) / len(self.sides)  # moves of a run
        error = 2 * math.sqrt(sum(gain ** 2 for gain in gains)) / len(gains)
        if error == 0:
            sys.exit(f'{PROGRAM}: all {len(gains)} runs chose the same moves')
        rows = []
        low, high = (round(self.settings['NODES'] * (1 + sign * NODES_STEP)) for sign in (-1, 1))
        for i, parameter in enumerate([Parameter('nodes', self.settings['NODES'], low, high), *self.parameters]):
            sums, counts = [0, 0], [0, 0]
            for run, gain in zip(self.runs.rows, gains):
                sums[run['levels'][i]] += gain
                counts[run['levels'][i]] += 1
            effect = sums[1] / max(counts[1], 1) - sums[0] / max(counts[0], 1)
            rows.append((effect, parameter))
        rows[1:] = sorted(rows[1:], key=lambda row: -abs(row[0]))
        square = sum((effect / error) ** 2 for effect, _ in rows[1:]) / len(self.parameters)
        print(f'{len(gains)} runs of {length:.0f} moves. Points that 100 moves gain with the second value, each '
              f'+- {1.96 * error / length * 100:.3f} (95%). Their squares are {square:.1f} times those of chance:')
        for effect, (name, _, low, high) in rows:
            print(f'{name:30} {low:7} -> {high:7} {effect / length * 100:+.3f}')


def lock(out):
    """Makes the folder and returns its locked file, which must stay open: two runs in one folder would mix their results."""
    os.makedirs(out, exist_ok=True)
    file = open(os.path.join(out, 'lock'), 'w')
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f'{PROGRAM}: another {PROGRAM} runs in {out}')
    return file


def hold_settings(out, engine, parameters, book, settings):
    """Notes the settings in the folder, or checks that it was begun with the same."""
    lasting = {name: value for name, value in settings.items() if name not in ('RUNS', 'CONCURRENCY')}
    lasting['command'] = engine
    program, *options = shlex.split(engine)
    files = [('engine', program), ('parameters', parameters), ('book', book)]
    files += [tuple(option.split('=', 1)) for option in options if option.startswith('EvalFile=')]
    for name, path in files:
        with open(path, 'rb') as file:
            lasting[name] = hashlib.sha256(file.read()).hexdigest()
    path = os.path.join(out, 'settings')
    if os.path.exists(path):
        with open(path) as file:
            if json.load(file) != lasting:
                sys.exit(f'{PROGRAM}: {out} was begun with other settings ({path}); choose another folder')
    else:
        with open(path, 'w') as file:
            json.dump(lasting, file)


def main():
    if len(sys.argv) < 5 or sys.argv[1].startswith('-'):
        usage(__doc__)
    engine, parameters, book, out = sys.argv[1:5]
    settings = {'RUNS': 2000, 'NODES': 100000, 'LABEL': 400000, 'GAMES': 260, 'SEED': 20261130, 'CONCURRENCY': os.cpu_count()}
    for setting in sys.argv[5:]:
        name, _, value = setting.partition('=')
        if name not in settings or not value.isdecimal():
            sys.exit(f'{PROGRAM}: {setting}: is not one of {", ".join(settings)} with a number')
        settings[name] = int(value)
    try:
        levels, openings = read_parameters(parameters), read_openings(book)
        locked = lock(out)  # until the end of main()
        hold_settings(out, engine, parameters, book, settings)
        measurement = Measurement(engine, levels, openings, out, settings)
    except OSError as error:
        sys.exit(f'{PROGRAM}: {error}')
    try:
        measurement.measure()
    except KeyboardInterrupt:
        sys.exit(f'\n{PROGRAM}: interrupted; the same command continues')


main()
