# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/sprt/plot-spsa.gp PARAMETERS VALUES.csv FIGURE.svg
# From spsa.sh: the file of its parameters and OUT/values.csv. How far each parameter moved from its start, in its steps.
# The names are sorted by the last value.
parameters = ARG1
csv = ARG2
set terminal svg size 900,640 font "sans,13" background "white"
set output ARG3
set title "Parameters during tuning"
set xlabel "pairs of games"
set ylabel "distance from the start, in steps"
set grid
set key outside right center
set rmargin 28
set linetype 9 lc rgb "gray50" # the default ninth colour equals the first
names = system(sprintf("awk -F, 'NR == FNR { start[$1] = $3; step[$1] = $6; next } \
    FNR == 1 { for (i = 2; i <= NF; i++) name[i] = $i; next } { for (i in name) last[i] = $i } \
    END { for (i in name) print (last[i] - start[name[i]]) / step[name[i]], name[i] }' '%s' '%s' | sort -gr | cut -d' ' -f2", \
    parameters, csv))
curve(name) = sprintf("< awk -F, -v name=%s 'NR == FNR { if ($1 == name) { start = $3; step = $6 } next } \
    FNR == 1 { for (i = 2; i <= NF; i++) if ($i == name) column = i; print 0, 0; next } \
    { print $1, ($column - start) / step }' '%s' '%s'", name, parameters, csv)
plot for [i = 1:words(names)] curve(word(names, i)) using 1:2 with lines lw 2 lc i dt int((i - 1) / 8) + 1 \
    title word(names, i) noenhanced
