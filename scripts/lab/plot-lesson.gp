# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-lesson.gp FIGURE.svg: what a lesson regains, by distance and policy. Standard input has a line for
# each distance: plies, then mean and limits of the interval for Bebe, Mouse and Crafty. scripts/results.sh writes them.
set terminal svg size 760,420 font "sans,13" background "white"
set output ARG1
set title "Score that learning regains before the fall"
set xlabel "plies before the fall"
set ylabel "internal units"
set xrange [0:22]
set xtics 2
set grid y
set key top right
set pointintervalbox 0
set table $gains
plot "/dev/stdin" using 1:2:3:4:5:6:7:8:9:10 with table
unset table
policies = "Bebe Mouse Crafty"
plot for [i = 1:3] $gains using ($1 + 0.3 * (i - 2)):(column(3 * i - 1)):(column(3 * i)):(column(3 * i + 1)) with yerrorbars pt 7 ps 0.6 lw 1.5 title word(policies, i), \
     0 with lines lc rgb "gray50" notitle
