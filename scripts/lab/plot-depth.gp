# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-depth.gp REPLACEMENT.csv FIGURE.svg [SCHEME [KPOSITIONS [SUITE]]]
# Nodes against depth, figure 3 of Breuker et al. (1994): without a table, with a cleared and a stamped one (TwoBig1,
# 1024K positions), history cleared; from the CSV of `palimpsest-lab replacement`. The nodes are relative to no table.
# SUITE is the number of the set of positions in the first column, by default that of the first row. Depths without all positions
# of the set are left out.
csv = ARG1
scheme = ARGC >= 3 ? ARG3 : "TwoBig1"
kilo = ARGC >= 4 ? ARG4 + 0 : 1024
suite = ARGC >= 5 ? ARG5 : ""
sums = "< awk -F, -v scheme=%s -v kilo=%d -v stamping=%s -v suite='%s' '$1 == \"suite\" { next } suite == \"\" { suite = $1 } \
    $1 == suite && $9 > last { last = $9 } \
    $1 == suite && $5 == \"cleared\" && $6 == 0 && $7 == 0 && !seen[$0]++ { n = $10 + $11 + $12; \
        if ($2 == \"None\") { none[$8] += n; without[$8]++ } \
        if ($2 == scheme && $3 == kilo && $4 == stamping) { nodes[$8] += n; with[$8]++ } } \
    END { for (ply in nodes) if (with[ply] == last && without[ply] == last) print ply, 100 * nodes[ply] / none[ply] }' '%s' | sort -n"
set terminal svg size 800,460 background "white"
set output ARG2
set title sprintf("ALIBABA with %s, %dK positions", scheme, kilo)
set xlabel "depth, plies"
set ylabel "nodes, % of those without a table"
set xtics 1
set yrange [0:110]
set grid ytics
set key outside right
set style data linespoints
plot 100 title "no table" with lines dt 2, \
     sprintf(sums, scheme, kilo, "cleared", suite, csv) title "cleared" pt 7, \
     sprintf(sums, scheme, kilo, "stamped", suite, csv) title "stamped" pt 5
