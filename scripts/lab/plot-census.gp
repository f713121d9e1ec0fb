# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-census.gp FIGURE.svg: contradicted cutoffs per million, by kind. Standard input has a line for
# each kind: its name in quotes, the rate and the limits of its interval. scripts/results.sh writes them.
set terminal svg size 760,380 font "sans,13" background "white"
set output ARG1
set title "Cutoffs by the table that a second search contradicts"
set ylabel "per million cutoffs"
set format y "%'.0f"
set yrange [0:*]
set style fill solid 0.6
set boxwidth 0.6
set grid y
set xtics nomirror
set key off
plot "/dev/stdin" using 0:2:3:4:xticlabels(1) with boxerrorbars lc rgb "#4477aa"
