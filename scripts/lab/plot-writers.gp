# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-writers.gp RATES FIGURE.svg: races between threads that store in one table. The file RATES has a
# line for each number of threads, with rates per million stores: lost positions under the nine schemes when stores give way;
# then changed, wrong and lost under all schemes, when stores give way and when they do not. scripts/results.sh writes it.
rates = ARG1
set terminal svg size 900,800 font "sans,13" background "white"
set output ARG2
set multiplot layout 2,1 title "Stores into a table of 8K positions, per million"
set logscale xy 2
set logscale y 10
set xtics (2, 4, 8, 16, 32, 64)
set xrange [1.8:71]
set format y "%g"
set lmargin 10
set rmargin 30
set linetype 9 lc rgb "gray50" # the default ninth colour equals the first
set xlabel "threads"
set key outside right top
schemes = "TwoDeep TwoBig1 Thompson ThompsonBoth Deep Big1 BigAll New Old"
set ylabel "lost when stores give way"
plot for [i = 1:9] rates using 1:(column(i + 1) > 0 ? column(i + 1) : 1/0) with linespoints pt 7 ps 0.6 title word(schemes, i)
kinds = "changed wrong lost"
set ylabel "all schemes"
plot for [i = 1:3] rates using 1:(column(i + 10)) with linespoints pt 7 ps 0.6 lc i title word(kinds, i) . ", give way", \
     for [i = 1:3] rates using 1:(column(i + 13) > 0 ? column(i + 13) : 1/0) with linespoints dt 2 pt 6 ps 0.6 lc i title word(kinds, i)
unset multiplot
