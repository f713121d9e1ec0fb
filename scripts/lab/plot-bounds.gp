# SPDX-License-Identifier: GPL-3.0-or-later
# gnuplot -c scripts/lab/plot-bounds.gp RESULTS.csv FIGURE.svg
# From `palimpsest-lab bounds --csv RESULTS.csv`: kilonodes against the size of the table, with one and with two bounds in an
# entry; geometric means over the set of 18 positions. Sizes without all of them are left out.
csv = ARG1
set terminal svg size 900,420 font "sans,13" background "white"
set output ARG2

# size in units of 1024 positions; kilonodes
kilonodes(driver, scheme, layout) = sprintf("< awk -F, 'NR > 1 { if ($3 > last[$1]) last[$1] = $3 } \
    $4 == \"%s\" && $6 == \"%s\" && $7 == \"%s\" && !seen[$0]++ { sum[$1, $5] += log($8); n[$1, $5]++; sizes[$5] } \
    END { for (s in last) if (last[s] == 18) for (k in sizes) if (n[s, k] == 18) print k, exp(sum[s, k] / n[s, k]) / 1000 }' '%s' | sort -n", \
    driver, scheme, layout, csv)

set multiplot layout 1,2 title "One bound in an entry (lines) and two (crosses)"
set logscale x 2
set xtics ("8K" 8, "64K" 64, "1024K" 1024)
set xrange [6:1400]
set xlabel "table, positions"
set ylabel "kilonodes"
set yrange [0:3000]
set grid y
set key bottom left
schemes = "New Deep Thompson TwoDeep"
colours = "#cc3311 #ee7733 #009988 #0077bb"
do for [driver in "PVS MTD(f)"] {
    set title driver
    plot for [i = 1:4] kilonodes(driver, word(schemes, i), "single") using 1:2 with lines lw 2 lc rgb word(colours, i) title word(schemes, i), \
         for [i = 1:4] kilonodes(driver, word(schemes, i), "own") using 1:2 with points pt 2 ps 1.2 lw 1.5 lc rgb word(colours, i) notitle
}
unset multiplot
