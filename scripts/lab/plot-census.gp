# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-census.gp FIGURE.svg: contradicted cutoffs per million, by kind. Standard input has a line for
# each kind, in the order of the names below: the rate and the limits of its interval. scripts/results.sh writes them.
set terminal svg size 760,380 font "sans,13" background "white"
set output ARG1
set title "Cutoffs by the table that a second search contradicts"
set ylabel "per million cutoffs"
set format y "%'.0f"
set yrange [0:*]
set style fill solid 0.6
set boxwidth 0.6
set grid y
set xtics nomirror ("empty table" 0, "deeper draft" 1, "path" 2, "other instability" 3, "no table" 4)
set key off
set pointintervalbox 0
set table $bars
plot "/dev/stdin" using 0:1:2:3 with table
unset table
plot $bars using 1:2 with boxes lc rgb "#4477aa", \
     $bars using 1:2:3:4 with yerrorbars ps 0 lw 1.5 lc rgb "black"
