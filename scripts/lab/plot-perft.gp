# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-perft.gp RESULTS.csv FIGURE.svg [MIB] [DEPTH]
# From `palimpsest-lab perft --csv RESULTS.csv`: hits, collisions and false hits by remaining depth.
# One table size and depth (1024 MiB, depth 7); runs with shadows and without --turn.
csv = ARG1
mib = ARGC >= 3 ? ARG3 + 0 : 1024
depth = ARGC >= 4 ? ARG4 + 0 : 7
set terminal svg size 900,700 font "sans,13" background "white"
set output ARG2
set datafile separator ","
wanted(key) = stringcolumn(3) eq key && column(2) == depth && column(5) == mib && column(4) == 0 && \
    column(6) == 1 && column(7) < depth

set multiplot layout 2,1 title sprintf("perft(%d) through a table of %d MiB", depth, mib)
set xlabel "remaining depth, plies"
set xtics 1
set xrange [0.5:depth - 0.5]
set key outside right top
set lmargin 10
set rmargin 28
set ylabel "% of probes"
set yrange [0:*]
plot csv using (wanted("64") ? $7 : NaN):(100.0 * $9 / $8) with linespoints pt 7 title "hits", \
     csv using (wanted("64") ? $7 : NaN):(100.0 * $10 / $8) with linespoints pt 5 title "collisions"

set ylabel "false hits"
set logscale y
set yrange [1e-12:*]
set format y "10^{%L}"
plot for [k in "32 26+32 64"] csv using (wanted(k) && $12 > 0 ? $7 : NaN):12 with points pt 7 ps 1.2 \
         title sprintf("key %s, detected", k), \
     for [k in "32 26+32 64"] csv using (wanted(k) && $13 > 0 ? $7 : NaN):13 with linespoints pt 1 \
         title sprintf("key %s, expected", k)
unset multiplot
