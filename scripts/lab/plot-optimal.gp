# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-optimal.gp RESULTS.csv FIGURE.svg [NUMBER [PLY]]
# From `palimpsest-lab optimal --csv RESULTS.csv`: nodes that a table saves, in % of those that an unlimited table saves,
# against its size; geometric means over the positions of the set of NUMBER (18) positions, in ALIBABA at 7 and 8 ply. With PLY,
# the search of the engine at that depth; RESULTS.csv without the columns for evaluation and search.
csv = ARG1
number = ARGC >= 3 ? ARG3 + 0 : 18
today = ARGC >= 4
first = today ? ARG4 + 0 : 7
last = today ? first : 8
set terminal svg size 900,(today ? 450 : 800) font "sans,13" background "white"
set output ARG2
future = "Optimum,2 MIN,2 Optimum,1 MIN,1"
schemes = "TwoBig1,2 TwoDeep,2 Thompson,2 Deep,1 Big1,1 New,1 Old,1"
comma(rule) = strstrt(rule, ",")
name(rule) = substr(rule, 1, comma(rule) - 1)
ways(rule) = substr(rule, comma(rule) + 1, strlen(rule))

# size in units of 1024 positions; share
shares(rule, ply) = sprintf("< awk -F, 'NR > 1 { if ($3 > last[$1]) last[$1] = $3 } \
    $2 == %d && $4 == 0 { all[$1, $3] = $10 } \
    $2 == %d && $5 == \"%s\" && $6 == %s { at[$1, $4, $3] = $10; sizes[$4] = 1 } \
    END { for (s in last) if (last[s] == %d) suite = s; for (k in sizes) { sum = n = 0; \
        for (p = 1; p <= last[suite]; p++) if ((suite, k, p) in at) { n++; sum += log(at[suite, k, p] / all[suite, p]) } \
        if (n) print k, 100 * exp(sum / n) } }' '%s' | sort -n", ply, ply, name(rule), ways(rule), number, csv)

set multiplot layout (today ? 1 : 2),1 title "Nodes saved by a table, without and with knowledge of the future"
set logscale x 2
set xtics ("8K" 8, "16K" 16, "32K" 32, "64K" 64, "128K" 128, "256K" 256, "512K" 512, "1024K" 1024)
set xrange [7:1200]
set yrange [20:101]
if (today) {
    set xtics ("64 KiB" 4, "256 KiB" 16, "1 MiB" 64, "4 MiB" 256, "16 MiB" 1024, "64 MiB" 4096)
    set xrange [3.5:4700]
    set yrange [10:101]
}
set lmargin 10
set rmargin 30
set xlabel today ? "table" : "table, positions"
set key outside right top
do for [ply = first:last] {
    set ylabel sprintf("%% of the unlimited table, %d ply", ply)
    plot for [r in future] shares(r, ply) using 1:2 with linespoints dt 2 pt 6 ps 0.6 title name(r) . ", " . ways(r) . "-entry buckets", \
         for [r in schemes] shares(r, ply) using 1:2 with linespoints pt 7 ps 0.6 title name(r)
}
unset multiplot
