# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes against table size, one line per scheme: figures 1 and 2 of Breuker et al. (1994), from the CSV
# of `palimpsest-lab replacement`. The files of several shards may be concatenated.
#
#   gnuplot -e "csv='replacement.csv'; out='figure-1.svg'" scripts/lab/plot-replacement.gp
#
# More settings for -e, with their defaults: ply=7, stamping='cleared' (or 'stamped', 'refreshed'), history='cleared',
# early=0 (early termination), seed=0, suite='' (number of the set of positions in the first column; '': that of the first row).
if (!exists("csv")) csv = "replacement.csv"
if (!exists("out")) out = "replacement.svg"
if (!exists("ply")) ply = 7
if (!exists("stamping")) stamping = "cleared"
if (!exists("history")) history = "cleared"
if (!exists("early")) early = 0
if (!exists("seed")) seed = 0
if (!exists("suite")) suite = ""

# One line per size, in kilonodes over all positions; repeated rows count once. Sizes without all positions of the set are left
# out.
sums = "< awk -F, -v scheme=%s -v ply=%d -v stamping=%s -v history=%s -v early=%d -v seed=%d " . \
    "-v suite='%s' '$1 == \"suite\" { next } suite == \"\" { suite = $1 } $1 == suite && $9 > last { last = $9 } " . \
    "$1 == suite && $2 == scheme && $8 == ply && $4 == stamping && $5 == history && " . \
    "$6 == early && $7 == seed && !seen[$0]++ { nodes[$3] += $10 + $11 + $12; n[$3]++ } " . \
    "END { for (size in nodes) if (n[size] == last) print size, nodes[size] / 1000 }' '%s' | sort -n"
of(scheme) = sprintf(sums, scheme, ply, stamping, history, early, seed, suite, csv)

set terminal svg size 800,560 background "white"
set output out
set title sprintf("ALIBABA, %d ply, table %s between positions, history %s", ply, stamping, history)
set xlabel "positions in the table (K)"
set ylabel "kilonodes"
set logscale x 2
set xtics (8, 16, 32, 64, 128, 256, 512, 1024)
set grid ytics
set key outside right
set style data linespoints
plot for [scheme in "TwoBig1 TwoDeep Big1 BigAll Deep New Old"] of(scheme) title scheme
