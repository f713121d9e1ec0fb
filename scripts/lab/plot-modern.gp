# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-modern.gp RESULTS.csv FIGURE.svg [DEPTH]
# From `palimpsest-lab modern --csv RESULTS.csv`: nodes to DEPTH (15) against the size of the table, for each
# replacement scheme; geometric means over the positions that have results for all schemes and sizes.
csv = ARG1
depth = ARGC >= 3 ? ARG3 + 0 : 15
set terminal svg size 900,800 font "sans,13" background "white"
set output ARG2
schemes = "Thompson ThompsonBoth TwoDeep TwoBig1 Deep Big1 BigAll New Old"
cells = 4 * words(schemes)

# MiB; mean nodes; ratio to the nodes of Thompson's scheme at the same size
means(scheme) = sprintf("< awk -F, '$5 == %d && !seen[$0]++ { id = $1 \",\" $2 \",\" $4; have[id]++; at[id, $6, $7] = log($8); sizes[$6] = 1 } \
    END { for (m in sizes) { n = s = t = 0; for (i in have) if (have[i] == %d) { n++; s += at[i, m, \"%s\"]; \
        t += at[i, m, \"Thompson\"] } if (n) print m, exp(s / n), exp((s - t) / n) } }' '%s' | sort -n", \
    depth, cells, scheme, csv)

set multiplot layout 2,1 title sprintf("The playing engine, depth %d", depth)
set logscale x 2
set xtics (1, 4, 16, 64)
set xrange [0.9:72]
set lmargin 10
set rmargin 20
set linetype 9 lc rgb "gray50" # the default ninth colour equals the first
set xlabel "table, MiB"
set key outside right top
set ylabel "nodes, geometric mean"
plot for [s in schemes] means(s) using 1:2 with linespoints pt 7 ps 0.6 title s
set ylabel "relative to Thompson"
plot for [s in schemes] means(s) using 1:3 with linespoints pt 7 ps 0.6 title s
unset multiplot
