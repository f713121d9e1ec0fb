# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/wdl/plot.gp FIGURE.txt FIGURE.svg
# Input: `palimpsest-datagen --wdl --figure FIGURE.txt`. Share of positions won by the side to move, by score and
# material: games as points, the model as lines.
data = ARG1
set terminal svg size 900,560 font "sans,13" background "white"
set output ARG2
set title "How often games are won, by score and material"
set xlabel "score of the side to move, internal units"
set ylabel "% won"
set xrange [-1500:1500]
set yrange [0:100]
set key top left title "material"
set grid
stats data using 3 nooutput
plot for [i = 0:STATS_blocks - 2] data index i using 3:6 with lines lw 2 lc i + 1 title columnheader(1), \
     for [i = 0:STATS_blocks - 2] data index i using 3:($4 >= 30 ? $5 : NaN) with points pt 7 ps 0.4 lc i + 1 notitle
