# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/cluster/plot-model.gp FIGURE.svg: the model of the cluster; standard input: from scripts/cluster/model.sh
set terminal svg size 900,520 font "sans,12" background "white"
set output ARG1
set table $model
plot "/dev/stdin" using 1:2:3:4:5:6:7 with table
unset table
set multiplot layout 1,2 title "Model of many machines, and two processes measured"
set logscale x 2
set xlabel "processes"
set xtics 4
set grid
set key below maxcols 2 width -4
set style data lines

array delays = [1, 1000]
array names = ["1 µs", "1 ms"]
array colours = ["#4477aa", "#cc6677"]
set ylabel "speed-up"
set logscale y 2
set yrange [1:1024]
plot x title "no work is done twice" lc rgb "#999999" dt 3, \
     for [i = 1:2] $model using 1:($2 == delays[i] ? $6 : 1/0) lc rgb colours[i] lw 2 \
         title sprintf("only the network, %s", names[i]), \
     for [k = 4:5] $model using 1:($2 == 1000 ? column(k) : 1/0) lc rgb "#555555" lw 2 dt k - 3 \
         title k == 5 ? "24% of the search twice" : "66% twice, as measured", \
     "-" using 1:2:3:4 with yerrorbars pt 7 lc rgb "#000000" title "two processes, by 400 games"
2 1.17 1.08 1.27
e

set ylabel "Mbit/s of each process"
unset logscale y
set logscale y 10
set yrange [0.1:10000]
set ytics nomirror
set y2label "results are sent from this depth on"
set y2range [0:30]
set y2tics 5
plot for [i = 1:2] $model using 1:($2 == delays[i] && $1 > 1 ? $7 : 1/0) lc rgb colours[i] lw 2 \
         title sprintf("Mbit/s, %s", names[i]), \
     for [i = 1:2] $model using 1:($2 == delays[i] && $1 > 1 ? $3 : 1/0) axes x1y2 with points \
         lc rgb colours[i] pt 4 + 2 * i title sprintf("depth, %s", names[i])
unset multiplot
