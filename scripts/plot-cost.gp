# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/plot-cost.gp COST.csv FIGURE.svg
# From nets/cost.csv: the strength of each generation by the core-hours of all generations up to it.
csv = ARG1
set terminal svg size 760,460 font "sans,13" background "white"
set output ARG2
set datafile separator ","
set title "What a network from nothing costs"
set xlabel "core-hours of games and training, with those of all generations before"
set ylabel "Elo against the hand-written evaluation"
set grid
set xrange [0:*]
set yrange [0:*]
set key off
hours(column_games, column_training) = sum = sum + column_games + column_training
sum = 0
plot csv skip 1 using (hours($2, $3)):4:5 with yerrorlines pt 7 lw 2 lc rgb "#4477aa", \
     sum = 0, csv skip 1 using (hours($2, $3)):4:(strcol(1)) with labels offset 1.2, -0.8 left
