# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of the results pages; gnuplot draws them."""
import subprocess
import tempfile

import census
import lesson
import optimal
import writers
from tables import LAB

DATA = 'DATA'  # as an argument of plot(): the name of a file with `data`


def plot(script, *arguments, data=''):
    """Calls a script of gnuplot in scripts/. `data` is its standard input, too."""
    with tempfile.NamedTemporaryFile('w+', encoding='utf-8') as file:
        file.write(data)
        file.seek(0)
        arguments = [file.name if argument == DATA else str(argument) for argument in arguments]
        subprocess.run(['gnuplot', '-c', 'scripts/' + script, *arguments], stdin=file, check=True)


def plot_replacement(figure, settings=''):
    """`settings`: variables of the script, see there."""
    settings = f"csv='{LAB}replacement.csv'; out='{figure}'; {settings}"
    subprocess.run(['gnuplot', '-e', settings, 'scripts/lab/plot-replacement.gp'], check=True)


def plot_model(figure):
    model = subprocess.run('scripts/cluster/model.sh', stdout=subprocess.PIPE, check=True, encoding='utf-8').stdout
    plot('cluster/plot-model.gp', figure, data=model)


# The name of each figure in scripts/results/manifest.tsv; the function draws the file `path`.
FIGURES = {
    'replacement-cleared.svg': lambda path: plot_replacement(path, 'ply=8'),
    'replacement-stamped.svg': lambda path: plot_replacement(path, "ply=8; stamping='stamped'"),
    'figure-1.svg': plot_replacement,
    'figure-2.svg': lambda path: plot_replacement(path, "stamping='stamped'; history='kept'"),
    'figure-3.svg': lambda path: plot('lab/plot-depth.gp', LAB + 'replacement.csv', path),
    'modern.svg': lambda path: plot('lab/plot-modern.gp', LAB + 'modern.csv', path),
    'keybits.svg': lambda path: plot('lab/plot-keybits.gp', LAB + 'keybits.csv', path),
    'optimal.svg': lambda path: plot('lab/plot-optimal.gp', LAB + 'optimal.csv', path),
    'optimal-today.svg': lambda path: plot('lab/plot-optimal.gp', DATA, path, optimal.TODAY_POSITIONS, optimal.TODAY_PLY,
                                           data=optimal.figure_today()),
    'census.svg': lambda path: plot('lab/plot-census.gp', path, data=census.figure()),
    'writers.svg': lambda path: plot('lab/plot-writers.gp', DATA, path, data=writers.figure()),
    'lesson.svg': lambda path: plot('lab/plot-lesson.gp', path, data=lesson.figure()),
    'bounds.svg': lambda path: plot('lab/plot-bounds.gp', LAB + 'bounds.csv', path),
    'model.svg': plot_model,
    'cost.svg': lambda path: plot('plot-cost.gp', 'nets/cost.csv', path),
}
