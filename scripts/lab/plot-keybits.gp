# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-keybits.gp RESULTS.csv FIGURE.svg [DEPTH] [MIB]
# From `palimpsest-lab keybits --csv RESULTS.csv`: type-1 errors per million probes by the number of key bits
# checked, with the number expected by chance; root moves and scores that change. One depth and table size (12, 16 MiB).
csv = ARG1
depth = ARGC >= 3 ? ARG3 + 0 : 12
mib = ARGC >= 4 ? ARG4 + 0 : 16
set terminal svg size 900,700 font "sans,13" background "white"
set output ARG2

# bits; errors, expected and revealed per million probes; % of root moves and scores that differ from 48 bits
sums = sprintf("< awk -F, '$5 == %d && $6 == %d && !known[$0]++ { b = $8; id = $1 \",\" $2 \",\" $4; seen[b] = 1; \
    p[b] += $9; x[b] += $11; f[b] += $12; c[b] += $13; move[id, b] = $15; score[id, b] = $16; ids[id] = 1 } \
    END { for (b in seen) { n = m = s = 0; for (i in ids) if ((i, b) in move && (i, 48) in move) { n++; \
        m += move[i, b] != move[i, 48]; s += score[i, b] != score[i, 48] } \
        if (n) print b, 1e6 * f[b] / p[b], 1e6 * x[b] / 2 ^ b / p[b], 1e6 * c[b] / p[b], 100 * m / n, 100 * s / n } }' \
    '%s' | sort -n", depth, mib, csv)

set multiplot layout 2,1 title sprintf("Checking part of the key: depth %d, %d MiB", depth, mib)
set xlabel "bits of the key checked, beside those of the slot"
set xrange [4:48]
set xtics 4
set key outside right top
set lmargin 10
set rmargin 28
set ylabel "per million probes"
set logscale y
set format y "10^{%L}"
plot sums using 1:($3 > 0 ? $3 : NaN) with lines dt 2 title "expected by chance", \
     sums using 1:($2 > 0 ? $2 : NaN) with points pt 7 title "type-1 errors", \
     sums using 1:($4 > 0 ? $4 : NaN) with points pt 4 title "illegal moves"
unset logscale y
set format y
set ylabel "% of positions"
set yrange [0:*]
plot sums using 1:5 with linespoints pt 7 title "another root move", \
     sums using 1:6 with linespoints pt 5 title "another root score"
unset multiplot
