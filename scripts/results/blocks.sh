# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts/results.sh: makes the tables and figures of the results pages. block_NAME prints, in Markdown, the table
# that stands between the lines `<!-- results: NAME -->` and `<!-- end -->` of a page. draw makes a figure. $LAB is
# palimpsest-lab.
lab=scripts/lab/results
learning=scripts/learning/results

# Functions of awk: the factor of a 95% interval by Student's t distribution with n degrees of freedom (as in src/lab/ratio.c);
# a number with commas, and with its sign.
awk_functions='
    function student(n, z, z2) { z = 1.959964; z2 = z * z
        if (n <= 2) return n == 1 ? 12.706 : 4.303
        return z + z * (z2 + 1) / 4 / n + z * ((5 * z2 + 16) * z2 + 3) / 96 / n ^ 2 + \
            z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384 / n ^ 3 }
    function commas(n, text, out) { text = sprintf("%.0f", n)
        for (out = ""; length(text) > 3; text = substr(text, 1, length(text) - 3))
            out = "," substr(text, length(text) - 2) out
        return text out }
    function signed(n) { return (n > 0 ? "+" : n < 0 ? "-" : "") commas(n < 0 ? -n : n) }'
table() { awk -F, -v OFS=' | ' "$awk_functions $1" "${@:2}"; }

# Each CSV file of folder $1: rows, engine, date and command.
block_files() {
    echo "| file | rows | engine | date | command |"
    echo "|---|---|---|---|---|"
    awk -F '\t' -v folder="$1/" 'index($1, folder) == 1 && $1 ~ /\.csv$/ {
        printf "| `%s` | %d | %s | %s | `%s` |\n", substr($1, length(folder) + 1), $2, $4, $5, $6 }' scripts/results/manifest.tsv
}

# --- the experiment of 1994 ---

# The report on 18 or 500 positions, or on 18 positions with several seeds; with more options.
report() {
    case $1 in
    replacement) "$LAB" replacement --report $lab/replacement.csv --markdown ;;
    replacement-middlegames) "$LAB" replacement --report $lab/middlegames.csv --summed 20 --markdown "${@:2}" ;;
    seeds-deep) "$LAB" replacement --report $lab/seeds-deep.csv --markdown ;;
    esac
}

# Functions of awk: average() sets `centre`, `deviation` and `error` (half of the 95% interval) from n logarithms of ratios of
# nodes; changed() and saved() print their geometric mean with its interval, in percent.
interval_functions='
    function average(logs, n, i, sum, squares) { sum = squares = 0
        for (i = 1; i <= n; i++) sum += logs[i]
        centre = sum / n
        for (i = 1; i <= n; i++) squares += (logs[i] - centre) ^ 2
        deviation = sqrt(squares / (n - 1)); error = student(n - 1) * deviation / sqrt(n) }
    function changed(logs, n) { average(logs, n)
        return sprintf("%+.1f%% (%+.1f to %+.1f%%)", 100 * (exp(centre) - 1), 100 * (exp(centre - error) - 1), 100 * (exp(centre + error) - 1)) }
    function saved(logs, n) { average(logs, n)
        return sprintf("%.1f%% (%.1f to %.1f%%)", 100 * (1 - exp(centre)), 100 * (1 - exp(centre + error)), 100 * (1 - exp(centre - error))) }'

# The claims of 1994 with verdict and figures: both sets of positions, history cleared and kept. The verdicts on stamping in the
# 18 positions are those of several seeds.
block_claims() {
    echo "| claim of 1994 (its test) | 18 positions, 7 ply, history cleared | 18 positions, 7 ply, history kept | 500 positions, 6 ply, history cleared | 500 positions, 5 ply, history cleared | 500 positions, 5 ply, history kept |"
    echo "|---|---|---|---|---|---|"
    { report replacement; report replacement-middlegames; report replacement-middlegames --max-depth 5; report seeds-deep; } | awk -F '|' '
        /^### ALIBABA on/ { split($0, word, " "); set = word[4]; seeds = $0; sub(/ seeds?$/, "", seeds); sub(/.* /, "", seeds); sub(/.*history /, ""); sub(/ .*/, ""); set = set "," $0 }
        /^#### The paper.s claims/ { sub(/.*at /, ""); column = set "," ($0 + 0) }
        /^\| claim / { reading = 1; next }
        /^$/ { reading = 0 }
        reading && seeds > 1 && !/stamping/ { next }
        reading && !/^\|---/ { if (!($2 in seen)) { seen[$2]; name[++n] = $2 }
            verdict = $3; gsub(/[* ]+/, " ", verdict); sub(/^ /, "", verdict); sub(/ $/, "", verdict)
            figures = $4; gsub(/^ | $/, "", figures); gsub(/; /, ", ", figures)
            cell[$2, column] = verdict == "open" ? "not observed" : verdict ": " figures }
        END { split("18,cleared,7 18,kept,7 500,cleared,6 500,cleared,5 500,kept,5", columns, " ")
            for (i = 1; i <= n; i++) { printf "|%s|", name[i]
                for (c = 1; c <= 5; c++) printf " %s |", ((name[i], columns[c]) in cell) ? cell[name[i], columns[c]] : "not observed"
                printf "\n" } }'
}

# Nodes of one scheme relative to another, table cleared: geometric means over the games of the 500 positions, with intervals
# between games.
block_pairs() {
    echo "| schemes | 6 ply, 8K, history cleared | 6 ply, 64K, history cleared | 5 ply, 8K, history cleared | 5 ply, 8K, history kept |"
    echo "|---|---|---|---|---|"
    table "$interval_functions"'
        FNR == 1 || $4 != "cleared" || $7 != 0 { next }
        { nodes[$8, $3, $5, $2, $9] = $10 + $11 + $12; if ($9 > games) games = $9 }
        function change(at, a, b, g, n, logs) { n = 0
            for (g = 1; g <= games; g++) if ((at, a, g) in nodes && (at, b, g) in nodes) logs[++n] = log(nodes[at, a, g] / nodes[at, b, g])
            return n < 2 ? "not observed" : changed(logs, n) }
        END { rows = split("TwoBig1 TwoDeep,TwoBig1 Big1,TwoDeep Big1,TwoDeep BigAll,TwoDeep Deep,Big1 Deep,BigAll Big1,New Deep,Old New", pair, ",")
            columns = split("6 8 cleared,6 64 cleared,5 8 cleared,5 8 kept", cell, ",")
            for (r = 1; r <= rows; r++) { split(pair[r], scheme, " "); printf "| %s against %s |", scheme[1], scheme[2]
                for (c = 1; c <= columns; c++) { at = cell[c]; gsub(/ /, SUBSEP, at); printf " %s |", change(at, scheme[1], scheme[2]) }
                printf "\n" } }' $lab/middlegames.csv
}

# What stamping saves against a cleared table, and a refresh beside stamping, by history and depth. The ratio of nodes is
# the geometric mean over schemes and sizes, then over games; the interval is between games.
block_stamping() {
    echo "| positions | depth | history | schemes × sizes | stamping saves | with fewer nodes | refresh saves beside stamping | with fewer nodes |"
    echo "|---|---|---|---|---|---|---|---|"
    table '
        FNR == 1 { file++; next }
        $2 == "None" || $7 != 0 { next }
        { g = file == 1 ? 1 : $9; n = $10 + $11 + $12; cell = file "," $8 "," $5 "," $2 "," $3
          nodes[cell, $4, g] += n; total[cell, $4] += n; rows[cell, $4]++; cells[cell]; if (g > games[file]) games[file] = g }
        function compare(row, a, b, cell, g, part, sum, squares, mean, error, saved, text, used, all) {
            used = better = all = 0; delete log_ratio; delete n_of
            for (cell in cells) { split(cell, part, ","); if (part[1] "," part[2] "," part[3] != row) continue
                if (!rows[cell, a] || rows[cell, a] != rows[cell, b]) continue # positions are missing
                all++; better += total[cell, a] < total[cell, b]
                for (g = 1; g <= games[part[1]]; g++) if ((cell, a, g) in nodes && (cell, b, g) in nodes) {
                    log_ratio[g] += log(nodes[cell, a, g] / nodes[cell, b, g]); n_of[g]++ } }
            sum = squares = 0
            for (g in n_of) { used++; sum += log_ratio[g] / n_of[g] }
            if (!used) return "not observed | "
            mean = sum / used
            for (g in n_of) squares += (log_ratio[g] / n_of[g] - mean) ^ 2
            text = sprintf("%.1f%%", 100 * (1 - exp(mean)))
            if (used > 1) { error = student(used - 1) * sqrt(squares / (used - 1) / used)
                text = text sprintf(" (%.1f to %.1f%%)", 100 * (1 - exp(mean + error)), 100 * (1 - exp(mean - error))) }
            count = all
            return text sprintf(" | %d of %d", better, all) }
        END { split("18 500", set, " "); split("cleared aged kept", fate, " ")
            for (f = 1; f <= 2; f++) for (ply = 4; ply <= 8; ply++) for (h = 1; h <= 3; h++) {
                row = f "," ply "," fate[h]; first = compare(row, "stamped", "cleared"); n = count
                if (first ~ /^not/) continue
                second = compare(row, "refreshed", "stamped")
                printf "| %d | %d ply | %s | %d | %s | %s |\n", set[f], ply, fate[h], n, first, second } }' \
        $lab/replacement.csv $lab/middlegames.csv
}

# Kilonodes of Thompson's two schemes beside TwoDeep and Deep at 7 ply.
block_thompson() {
    echo "| history | table | size | TwoDeep | Thompson | ThompsonBoth | Deep |"
    echo "|---|---|---|---|---|---|---|"
    table '
        FNR == 1 || $8 != 7 || $7 != 0 { next }
        { n[$5, $4, $3, $2] += $10 + $11 + $12 }
        END { split("cleared kept", fate, " "); split("cleared stamped refreshed", way, " "); split("8 64 1024", size, " ")
            for (h = 1; h <= 2; h++) for (w = 1; w <= 3; w++) for (s = 1; s <= 3; s++) {
                at = fate[h] SUBSEP way[w] SUBSEP size[s] SUBSEP; base = n[at "TwoDeep"]
                if (!base || !n[at "Thompson"]) continue
                printf "| %s | %s | %dK | %.0f |", fate[h], way[w], size[s], base / 1000
                split("Thompson ThompsonBoth Deep", scheme, " ")
                for (i = 1; i <= 3; i++) printf " %.0f (%+.1f%%) |", n[at scheme[i]] / 1000, 100 * (n[at scheme[i]] / base - 1)
                printf "\n" } }' $lab/replacement.csv $lab/thompson.csv
}

# Functions of awk for the files with several seeds: read_seeds() reads a row; nodes_of() is the logarithm of the nodes of all
# positions; has() is true if the file has the scheme with all seeds.
seeds_functions='
    function read_seeds() { n[$8, $5, $4, $3, $2, $7] += $10 + $11 + $12; sizes[$3]; schemes[$2]
        if ($7 >= seeds[$8, $5]) seeds[$8, $5] = $7 + 1 }
    function nodes_of(ply, history, way, size, scheme, seed) { return log(n[ply, history, way, size, scheme, seed]) }
    function has(ply, history, size, scheme) { return (ply, history, "stamped", size, scheme, seeds[ply, history] - 1) in n }'

# What stamping saves with several sets of Zobrist keys, as the mean over schemes and sizes, and how far the nodes scatter
# between the sets.
block_seeds() {
    echo "| depth | history | seeds | stamping saves, 8K | 64K | 1024K | all three sizes | seeds in which it saves | scatter of the nodes, cleared | stamped |"
    echo "|---|---|---|---|---|---|---|---|---|---|"
    table "$interval_functions$seeds_functions"'
        FNR > 1 { read_seeds() }
        function scatter(ply, history, way, size, scheme, seed, logs, all, cells) { all = cells = 0
            for (size in sizes) for (scheme in schemes) if (has(ply, history, size, scheme)) {
                for (seed = 0; seed < seeds[ply, history]; seed++) logs[seed + 1] = nodes_of(ply, history, way, size, scheme, seed)
                average(logs, seeds[ply, history]); all += deviation ^ 2; cells++ }
            return sprintf("%.1f%%", 100 * sqrt(all / cells)) }
        function saving(ply, history, of_size, seed, size, scheme, sum, cells) {
            for (seed = 0; seed < seeds[ply, history]; seed++) { sum = cells = 0
                for (size in sizes) for (scheme in schemes) if ((!of_size || size == of_size) && has(ply, history, size, scheme)) { cells++
                    sum += nodes_of(ply, history, "stamped", size, scheme, seed) - nodes_of(ply, history, "cleared", size, scheme, seed) }
                if (cells) change[seed + 1] = sum / cells }
            return cells ? saved(change, seeds[ply, history]) : "not observed" }
        function line(ply, history, i, better) { if (!seeds[ply, history]) return
            printf "| %d ply | %s | %d | %s | %s | %s | %s |", ply, history, seeds[ply, history], saving(ply, history, 8),
                saving(ply, history, 64), saving(ply, history, 1024), saving(ply, history, 0)
            better = 0; for (i = 1; i <= seeds[ply, history]; i++) better += change[i] < 0
            printf " %d of %d | %s | %s |\n", better, seeds[ply, history], scatter(ply, history, "cleared"), scatter(ply, history, "stamped") }
        END { for (ply = 4; ply <= 7; ply++) { line(ply, "cleared"); line(ply, "kept") } }' $lab/seeds.csv $lab/seeds-deep.csv
}

# The order of the schemes at 7 ply with several sets of Zobrist keys: by the mean over the sizes, as in src/lab/breuker1994/claims.c.
block_seeds_order() {
    echo "| history | table | best scheme | TwoBig1 against TwoDeep | TwoDeep against Deep | TwoDeep against BigAll | Old against New | places changed between two seeds | by stamping |"
    echo "|---|---|---|---|---|---|---|---|---|"
    table "$interval_functions$seeds_functions"'
        FNR > 1 { read_seeds() }
        function mean_of(history, way, scheme, seed, size, sum, cells) { sum = cells = 0
            for (size in sizes) if (has(7, history, size, scheme)) { sum += nodes_of(7, history, way, size, scheme, seed); cells++ }
            return sum / cells }
        function against(history, way, a, b, seed, logs) {
            for (seed = 0; seed < count; seed++) logs[seed + 1] = mean[history, way, a, seed] - mean[history, way, b, seed]
            return changed(logs, count) }
        function swapped(history, way, seed, way2, seed2, i, j, pairs) { pairs = 0
            for (i = 1; i <= 7; i++) for (j = i + 1; j <= 7; j++)
                pairs += (mean[history, way, name[i], seed] < mean[history, way, name[j], seed]) != \
                    (mean[history, way2, name[i], seed2] < mean[history, way2, name[j], seed2])
            return pairs }
        function line(history, way, seed, seed2, i, best, firsts, text, between, tries, by) {
            for (seed = 0; seed < count; seed++) { best = 1
                for (i = 2; i <= 7; i++) if (mean[history, way, name[i], seed] < mean[history, way, name[best], seed]) best = i
                firsts[best]++; by += swapped(history, "cleared", seed, "stamped", seed)
                for (seed2 = 0; seed2 < seed; seed2++) { tries++; between += swapped(history, way, seed, way, seed2) } }
            for (i = 1; i <= 7; i++) if (firsts[i]) text = text (text ? ", " : "") sprintf("%s (%d of %d)", name[i], firsts[i], count)
            printf "| %s | %s | %s | %s | %s | %s | %s | %.1f of 21 | %s |\n", history, way, text, against(history, way, "TwoBig1", "TwoDeep"),
                against(history, way, "TwoDeep", "Deep"), against(history, way, "TwoDeep", "BigAll"), against(history, way, "Old", "New"), between / tries,
                way == "stamped" ? sprintf("%.1f of 21", by / count) : "" }
        END { split("TwoBig1 TwoDeep Big1 BigAll Deep New Old", name, " "); split("cleared kept", fate, " "); split("cleared stamped", ways, " ")
            for (h = 1; h <= 2; h++) { count = seeds[7, fate[h]]; if (!count) continue
                for (w = 1; w <= 2; w++) for (i = 1; i <= 7; i++) for (seed = 0; seed < count; seed++)
                    mean[fate[h], ways[w], name[i], seed] = mean_of(fate[h], ways[w], name[i], seed)
                line(fate[h], "cleared"); line(fate[h], "stamped") } }' $lab/seeds-deep.csv
}

# Schemes that keep the size of the subtree in smaller tables against schemes that do not need it; tables cleared, history cleared.
# The interval is between the 18 positions, or between the 25 games.
block_equal_memory() {
    echo "| schemes | entries | 18 positions, 7 ply, 8K | 64K | 8 ply, 16K | 64K | 25 games, 6 ply, 8K | 64K |"
    echo "|---|---|---|---|---|---|---|---|"
    table "$interval_functions"'
        FNR == 1 || $4 != "cleared" || $5 != "cleared" || $7 != 0 { next }
        { set = FILENAME ~ /replacement\.csv|equal-memory\.csv/ ? 18 : 25; nodes[set, $8, $2, $3, $9] += $10 + $11 + $12 }
        function cell(set, ply, kilo, less, scheme, other, i, count, logs, a, b) { count = 0
            for (i = 1; i <= set; i++) { a = set SUBSEP ply SUBSEP scheme SUBSEP less SUBSEP i; b = set SUBSEP ply SUBSEP other SUBSEP kilo SUBSEP i
                if ((a in nodes) && (b in nodes)) logs[++count] = log(nodes[a] / nodes[b]) }
            return count == set ? changed(logs, count) : "not observed" }
        END { split("TwoBig1 TwoDeep,Big1 Deep", pair, ","); split("18 7 8,18 7 64,18 8 16,18 8 64,25 6 8,25 6 64", column, ",")
            split("as many,7/8,3/4", share, ",")
            for (p = 1; p <= 2; p++) { split(pair[p], scheme, " ")
                for (s = 0; s <= 2; s++) { printf "| %s against %s | %s |", scheme[1], scheme[2], share[s + 1]
                    for (c = 1; c <= 6; c++) { split(column[c], at, " ")
                        printf " %s |", cell(at[1], at[2], at[3], at[3] * (8 - s) / 8, scheme[1], scheme[2]) }
                    printf "\n" } } }' $lab/replacement.csv $lab/equal-memory.csv $lab/middlegames.csv $lab/equal-memory-games.csv
}

# --- the other experiments ---

block_perft() {
    echo "| key | table | count | error | false hits detected | expected |"
    echo "|---|---|---|---|---|---|"
    table '
        FNR == 1 { next }
        { key = $3 " | " $5; if (!(key in count)) order[++n] = key
          false_hits[key] += $12; expected[key] += $13; count[key] = $14; error[key] = $14 - $15 }
        END { for (i = 1; i <= n; i++) { k = order[i]
            printf "| %s MiB | %s | %s | %s | %.0f |\n", k, commas(count[k]), signed(error[k]), commas(false_hits[k]), expected[k] } }' $lab/perft.csv
}

# Hits and collisions by remaining depth, of the programmer of GPUs and of our trials.
block_perft_depths() {
    table '
        FNR == 1 { for (i = 2; i <= NF; i++) head = head " | " $i; columns = NF; print "| program" head " |"
                   printf "|"; for (i = 1; i <= NF; i++) printf "---|"; printf "\n"; next }
        { $2 = signed($2 + 0); printf "|"; for (i = 1; i <= NF; i++) printf " %s |", $i; printf "\n" }' $lab/perft-depths.csv
}

block_perft_turns() {
    table '
        FNR == 1 || $3 != "32" || $7 != 1 { next }
        { e = $14 - $15; n++; sum += e; squares += e * e; if (n == 1 || e < least) least = e; if (n == 1 || e > most) most = e }
        END { if (n) printf "Errors of %d other choices of 32 bits from our keys, with 1024 MiB: from %s to %s, root mean square %s.\n", n,
            signed(least), signed(most), commas(sqrt(squares / n)) }' $lab/perft-turns.csv
}

# Errors by the number of bits checked. With all 48 bits no entry of another position can be recognised.
block_keybits() {
    echo "| bits checked | probes (millions) | errors per million probes | expected by chance | errors that an illegal hash move reveals | root moves changed |"
    echo "|---|---|---|---|---|---|"
    table '
        FNR == 1 || $5 != 12 || $6 != 16 { next }
        { b = $8; id = $3; probes[b] += $9; foreign[b] += $11; wrong[b] += $12; illegal[b] += $13; move[id, b] = $15; ids[id] }
        END { for (b = 8; b <= 48; b++) if (b in probes) { changed = n = 0
            for (id in ids) if ((id, b) in move && (id, 48) in move) { n++; changed += move[id, b] != move[id, 48] }
            errors = b == 48 ? "- | -" : sprintf("%.3g | %.3g", 1e6 * wrong[b] / probes[b], 1e6 * foreign[b] / 2 ^ b / probes[b])
            printf "| %d | %.1f | %s | %s | %.1f%% |\n", b, probes[b] / 1e6, errors,
                wrong[b] ? sprintf("%.0f%% of %d", 100 * illegal[b] / wrong[b], wrong[b]) : "none", 100 * changed / n } }' $lab/keybits.csv
}

block_torn() {
    echo "| lock | threads: accepted, only the subtree size wrong | threads: accepted, another position | by hand: accepted, both kinds |"
    echo "|---|---|---|---|"
    table '
        FNR == 1 { next }
        { name = $1 == "folded" ? "folded (the engine\047s)" : $1 == "xor" ? "XOR with the data" : "none (bare key)"
          printf "| %s | %s | %s | %s of %s |\n", name, commas($9), commas($10), commas($12 + $13), commas($11) }' $lab/torn.csv
}

# Nodes to depth 15 relative to Thompson: geometric means over the positions.
block_modern() {
    echo "| scheme | 1 MiB | 4 MiB | 16 MiB | 64 MiB |"
    echo "|---|---|---|---|---|"
    table '
        FNR == 1 || $5 != 15 { next }
        { nodes[$3, $6, $7] = log($8); ids[$3]; if (!($7 in seen)) { seen[$7]; order[++n] = $7 } }
        END { split("1 4 16 64", size, " ")
            for (i = 1; i <= n; i++) { printf "| %s |", order[i]
                for (s = 1; s <= 4; s++) { sum = count = all = games = squares = 0; delete ratio; delete of_game
                    for (id in ids) if ((id, size[s], order[i]) in nodes && (id, size[s], "Thompson") in nodes) {
                        ratio[id] = nodes[id, size[s], order[i]] - nodes[id, size[s], "Thompson"]
                        sum += ratio[id]; all += nodes[id, size[s], order[i]]; count++ }
                    for (id in ratio) of_game[int((id - 1) / 20)] += ratio[id] - sum / count
                    for (g in of_game) { games++; squares += of_game[g] ^ 2 }
                    error = student(games - 1) * sqrt(squares * games / (games - 1)) / count
                    printf " %.2f", exp(sum / count)
                    if (order[i] != "Thompson") printf " (%.2f to %.2f)", exp(sum / count - error), exp(sum / count + error)
                    printf ", %.0f K |", exp(all / count) / 1000 }
                printf "\n" } }' $lab/modern.csv
}

block_reads() {
    echo "| rule left out | 1 MiB | 4 MiB | 16 MiB |"
    echo "|---|---|---|---|"
    table '
        FNR == 1 { next }
        { nodes[$3, $7, $9] = log($10); ids[$3] }
        END { split("no-refresh one-move", way, " "); split("1 4 16", size, " ")
            for (w = 1; w <= 2; w++) { printf "| %s |", way[w] == "one-move" ? "two hash moves" : "refresh by a read"
                for (s = 1; s <= 3; s++) { sum = squares = n = 0
                    for (id in ids) if ((id, size[s], way[w]) in nodes) { d = nodes[id, size[s], way[w]] - nodes[id, size[s], "both"]
                        sum += d; squares += d * d; n++ }
                    mean = sum / n; error = student(n - 1) * sqrt((squares / n - mean * mean) / (n - 1))
                    printf " %+.1f%% (%+.1f to %+.1f%%) |", 100 * (exp(mean) - 1), 100 * (exp(mean - error) - 1), 100 * (exp(mean + error) - 1) }
                printf "\n" } }' $lab/reads.csv
}

# Matches: games at 10,000 nodes a move, 1 MiB.
block_matches() {
    echo "| question | first player | second player | games | Elo of the first | result |"
    echo "|---|---|---|---|---|---|"
    table 'FNR > 1 { printf "| %s | %s | %s | %s | %+d ± %d | %s |\n", $1, $2, $3, commas($4), $5, $6, $7 }' $lab/matches.csv
}

# optimal.csv, or optimal-today.csv without its first two columns; the number of positions of the latter.
today_positions=50
optimal_rows() { if [ "$1" = today ]; then cut -d , -f 3- $lab/optimal-today.csv; else cat $lab/optimal.csv; fi; }

# Functions of awk for these rows. read_optimal() reads a row. choose() selects the set of `number` positions at `ply`, and of
# these the positions with all rows. mean() is the geometric mean over them of the ratio of two values (saved or hits); its
# interval is between games of `per` positions (1). size_name() names a table of so many thousand entries.
optimal_functions='
    function size_name(kilo) { return search != "today" ? kilo "K" : kilo < 64 ? 16 * kilo " KiB" : kilo / 64 " MiB" }
    function read_optimal() { if ($3 > last[$1]) last[$1] = $3
        if (++rows[$1, $2, $3] > most) most = rows[$1, $2, $3]
        nodes[$1, $3, $2] = $11; saved[$1, $3, $2, $4, $5, $6] = $10; hits[$1, $3, $2, $4, $5, $6] = $8 }
    function choose(number, depth, s, p) { ply = depth; count = 0
        for (s in last) if (last[s] == number) suite = s
        for (p = 1; p <= number; p++) if (rows[suite, ply, p] == most) used[++count] = p }
    function mean(of, to, kilo, rule, ways, size, best, with, i, r, sum, squares, error, group, deviation, groups) {
        for (i = 1; i <= count; i++) {
            r[i] = log(of[suite, used[i], ply, kilo, rule, ways] / to[suite, used[i], ply, size, best, with])
            sum += r[i] / count }
        for (i = 1; i <= count; i++) {
            deviation += r[i] - sum; group = int((used[i] - 1) / (per ? per : 1))
            if (i == count || int((used[i + 1] - 1) / (per ? per : 1)) != group) {
                squares += deviation * deviation; deviation = 0; groups++ } }
        error = student(groups - 1) * sqrt(squares * groups / (groups - 1)) / count
        low = 100 * exp(sum - error); high = 100 * exp(sum + error)
        return 100 * exp(sum) }
    function share(kilo, rule, ways) { return mean(saved, saved, kilo, rule, ways, 0, "Unlimited", 0) }'

# Nodes saved and hits as shares of those of the unlimited table, and nodes saved as a share of the optimum with as many entries
# in a bucket. $1: number of positions, which names the set; $2: depth; $3: today or nothing; $4: positions of a game.
block_optimal() {
    local sizes="8 64 1024"
    [ "${3:-}" != today ] || sizes="4 64 1024"
    optimal_rows "${3:-}" |
    table "$optimal_functions"'
        FNR == 1 { next }
        { read_optimal(); if ($4 > 0 && !(($5, $6) in seen)) { seen[$5, $6]; name[++n] = $5; way[n] = $6 } }
        END { choose(number, depth); split(sizes, size, " ")
            for (i = 1; i <= count; i++) sum_of_nodes += nodes[suite, used[i], ply]
            printf "%d positions at %d ply%s:\n\n", count, ply,
                search == "today" ? sprintf(", %.1f million nodes each", sum_of_nodes / count / 1e6) : ""
            for (k = 1; k <= 3; k++) heads = heads " | " size_name(size[k])
            first = size_name(size[1]); sub(/ \| /, "", heads)
            printf "| rule | entries in a bucket | nodes saved: %s | hits: %s | of the optimum: %s |\n", heads, first, heads
            print "|---|---|---|---|---|---|---|---|---|"
            for (i = 1; i <= n; i++) if (name[i] != "Limit") {
                printf "| %s | %s |", name[i], way[i] ? way[i] : "all"
                for (k = 1; k <= 3; k++) printf " %.1f%% |", share(size[k], name[i], way[i])
                printf name[i] ~ /Optimum|Density/ ? " |" : " %.1f%% |", mean(hits, hits, size[1], name[i], way[i], 0, "Unlimited", 0)
                for (k = 1; k <= 3; k++) if (!way[i] || name[i] == "Optimum") printf " |"
                    else printf " %.1f%% (%.1f to %.1f) |", mean(saved, saved, size[k], name[i], way[i], size[k], "Optimum", way[i]), low, high
                printf "\n" } }' number="$1" depth="$2" search="${3:-}" per="${4:-1}" sizes="$sizes"
}

# Kilonodes that the replay predicts (those of the recorded search and those that the table does not save) against those of
# searches with such a table; the 18 positions.
block_optimal_live() {
    echo "| scheme | 7 ply, 8K | 64K | 1024K | 8 ply, 16K | 64K | 1024K |"
    echo "|---|---|---|---|---|---|---|"
    table "$optimal_functions"'
        FNR == 1 { file++; next }
        file == 1 { if ($4 == "cleared" && $5 == "cleared" && $7 == 0) live[$8, $3, $2, $9] += $10 + $11 + $12; next }
        { read_optimal() }
        END { split("TwoBig1 TwoDeep BigAll Big1 Deep New Old", scheme, " "); split("7,8 7,64 7,1024 8,16 8,64 8,1024", column, " ")
            for (i = 1; i <= 7; i++) { printf "| %s |", scheme[i]
                for (c = 1; c <= 6; c++) { split(column[c], at, ","); choose(18, at[1]); l = f = 0
                    for (u = 1; u <= count; u++) { p = used[u]; l += live[at[1], at[2], scheme[i], p]
                        f += nodes[suite, p, ply] + saved[suite, p, ply, 0, "Unlimited", 0] - \
                            saved[suite, p, ply, at[2], scheme[i], scheme[i] ~ /^Two/ ? 2 : 1] }
                    printf " %.0f of %.0f (%+.1f%%) |", f / 1000, l / 1000, 100 * (f / l - 1) }
                printf "\n" } }' $lab/replacement.csv $lab/optimal.csv
}

# The verdict: what the best scheme saves, and the size that it needs to save what the best selection saves.
block_optimal_verdict() {
    local set
    printf 'What the best scheme saves, as a share of what the best choice of as many entries saves. Then the size of the table with which\nthe scheme saves as much as that choice:\n\n'
    for set in "18 7 8" "12 8 8" "25 7 8" "$today_positions 22 4 today" "$today_positions 22 64 today"; do
        read -r number depth size search <<< "$set"
        optimal_rows "$search" | table "$optimal_functions"'
            FNR == 1 { next }
            { read_optimal(); if ($6 > 0 && $5 !~ /MIN|Optimum/) schemes[$5] = $6; if ($4 > largest) largest = $4 }
            END { step = search == "today" ? 4 : 2; choose(number == 12 ? 18 : number, depth); goal = share(size, "Optimum", 2)
                for (r in schemes) if (share(size, r, schemes[r]) > best) { best = share(size, r, schemes[r]); rule = r }
                for (kilo = size; kilo < largest && share(kilo, rule, schemes[rule]) < goal; ) kilo *= step
                printf "- %s, %d positions, %d ply, table of %s%s: %s, %.0f%%; %s%s\n", search == "today" ? "today\047s search" : "ALIBABA", \
                    count, ply, size_name(size), search == "today" ? "" : " entries", rule, 100 * best / goal, size_name(kilo), \
                    search == "today" ? "" : " entries" }' number="$number" depth="$depth" size="$size" search="$search"
    done
}

# Functions of awk for census.csv, which has 20 positions of each game: rate() is a sum of columns per million of another one,
# `low` and `high` the limits of its 95% interval between games. `bits` is the number of bits of the key that were compared.
census_functions='
    function rate(from, to, of, g, c, e, n, events, trials, squares, error) { n = events = trials = squares = 0
        for (g in games) { n++; for (c = from; c <= to; c++) events += sum[g, c]; trials += sum[g, of] }
        for (g in games) { e = -events / trials * sum[g, of]; for (c = from; c <= to; c++) e += sum[g, c]; squares += e * e }
        error = student(n - 1) * sqrt(squares * n / (n - 1)) / trials * 1e6; rate_of = events / trials * 1e6
        low = rate_of > error ? rate_of - error : 0; high = rate_of + error; count = trials; return rate_of }
    FNR > 1 && $10 == "observe" { bits = $8; game = int(($3 - 1) / 20); games[game]; for (c = 14; c <= 23; c++) sum[game, c] += $c }'

# Cutoffs that a second search contradicts, by cause: columns 17 to 20 of the file.
block_census() {
    echo "| contradicted | checked | per million | 95% interval |"
    echo "|---|---|---|---|"
    table "$census_functions"'
        function line(name, from, to, of) { rate(from, to, of)
            printf "| %s | %s | %s | %s to %s |\n", name, commas(count), commas(rate_of), commas(low), commas(high) }
        END { line("by a search with an empty table", 17, 20, 15)
            if (bits == 48) print "| cause: entry of another position", "not tested", "-", "- |"
            else line("cause: entry of another position", 17, 17, 15)
            line("cause: deeper draft", 18, 18, 15)
            line("cause: path", 19, 19, 15)
            line("cause: other instability", 20, 20, 15)
            line("at depth 4 and more", 22, 22, 21)
            line("by a search without a table", 23, 23, 15) }' $lab/census.csv
}

# The searches in which some cutoffs were refused, compared with those that were only observed.
block_census_policies() {
    echo "| refused | root moves changed | scores changed | mean difference | nodes (95% interval, by games) |"
    echo "|---|---|---|---|---|"
    table '
        function ratio(l) { return 100 * (exp(l) - 1) }
        FNR > 1 { nodes[$3, $10] = $11; score[$3, $10] = $12; best[$3, $10] = $13; seen[$3] }
        END { split("correct control refuse", policy, " "); split("contradicted cutoffs,as many confirmed cutoffs,all cutoffs", name, ",")
            for (i = 1; i <= 3; i++) { n = moves = scores = distance = logs = games = squares = 0; q = policy[i]; split("", off)
                for (p in seen) if ((p, q) in nodes) { n++; moves += best[p, q] != best[p, "observe"]; d = score[p, q] - score[p, "observe"]
                    scores += d != 0; distance += d < 0 ? -d : d; logs += log(nodes[p, q] / nodes[p, "observe"]) }
                for (p in seen) if ((p, q) in nodes) off[int((p - 1) / 20)] += log(nodes[p, q] / nodes[p, "observe"]) - logs / n
                for (g in off) { games++; squares += off[g] * off[g] }
                e = student(games - 1) * sqrt(squares * games / (games - 1)) / n
                printf "| %s | %.1f%% | %.1f%% | %.1f units | %+.1f%% (%+.1f to %+.1f) |\n", name[i], 100 * moves / n, 100 * scores / n,
                    distance / n, ratio(logs / n), ratio(logs / n - e), ratio(logs / n + e) } }' $lab/census.csv
}

# Functions of awk for writers.csv, which has 20 positions, each of another game. rate() is the sum of column `of` per million
# stores, `low` and `high` the limits of its 95% interval between games.
writers_functions='
    FNR > 1 { cell = $10 SUBSEP $8 SUBSEP $9 SUBSEP; games[$3]; seen[cell $7, $3]; seen[cell "all", $3]
        for (c = 17; c <= 23; c++) { sum[cell $7, $3, c] += $c; sum[cell "all", $3, c] += $c } }
    function rate(cell, of, g, n, events, e, squares, error) { n = events = total = squares = 0
        for (g in games) if ((cell, g) in seen) { n++; events += sum[cell, g, of]; total += sum[cell, g, 17] }
        for (g in games) if ((cell, g) in seen) { e = sum[cell, g, of] - events / total * sum[cell, g, 17]; squares += e * e }
        error = student(n - 1) * sqrt(squares * n / (n - 1)) / total * 1e6; value = events / total * 1e6
        low = value > error ? value - error : 0; high = value + error; count = n; return value }
    function at(mode, size, threads, scheme) { return mode SUBSEP size SUBSEP threads SUBSEP scheme }
    BEGIN { schemes = split("TwoDeep TwoBig1 Thompson ThompsonBoth Deep Big1 BigAll New Old", name, " ") }'

# What became of the stores, all schemes together.
block_writers() {
    echo "| table | stores give way | threads | stores (millions) | changed | by each other thread | overwritten | wrong | lost |"
    echo "|---|---|---|---|---|---|---|---|---|"
    table "$writers_functions"'
        function line(mode, size, threads, cell, c) { cell = at(mode, size, threads, "all"); rate(cell, 18)
            printf "| %dK | %s | %d | %.1f |", size, mode == "free" ? "no" : "yes", threads, total / 1e6
            for (c = 18; c <= 21; c++) { printf " %s |", commas(rate(cell, c))
                if (c == 18) printf " %s |", mode == "free" ? "" : commas(value / (threads - 1)) }
            printf "\n" }
        END { split("8 1024", size, " "); split("2 8 64", threads, " ")
            for (s = 1; s <= 2; s++) { for (t = 1; t <= 3; t++) line("free", size[s], threads[t])
                for (t = 1; t <= 3; t++) line("forced", size[s], threads[t]) } }' $lab/writers.csv
}

# Lost positions and wrong pushes per million stores by scheme, when all stores give way.
block_writers_schemes() {
    echo "| scheme | 2 threads | 4 | 8 | 16 | 32 | 64 (95% interval) | 1024K, 64 threads |"
    echo "|---|---|---|---|---|---|---|---|"
    table "$writers_functions"'
        function line(title, scheme, of) { printf "| %s |", title
            for (t = 2; t <= 64; t *= 2) printf " %s%s |", commas(rate(at("forced", 8, t, scheme), of)),
                t < 64 ? "" : " (" commas(low) " to " commas(high) ")"
            printf " %s |\n", commas(rate(at("forced", 1024, 64, scheme), of)) }
        END { for (i = 1; i <= schemes; i++) line(name[i], name[i], 21)
            for (i = 1; i <= 2; i++) line(name[i] ": wrong pushes", name[i], 23)
            for (i = 1; i <= 2; i++) line(name[i] ": pushes", name[i], 22) }' $lab/writers.csv
}

# Nodes relative to TwoDeep by threads, and how this ratio changes when the threads double; table of 8K.
block_writers_nodes() {
    echo "| scheme | 1 thread | 4 threads | 16 threads | factor of nodes a doubling | factor of stores of the main thread |"
    echo "|---|---|---|---|---|---|"
    table '
        FNR > 1 && $8 == 8 && ($9 == 1 || $9 == 4 || $9 == 16) && ($9 == 1 || $10 == "forced") { games[$3]
            n[$3, $9, $7]++; nodes[$3, $9, $7] += log($13); main[$3, $9, $7] += log($16) }
        function ratio(g, t, s, of) { return of == 1 ? nodes[g, t, s] / n[g, t, s] - nodes[g, t, "TwoDeep"] / n[g, t, "TwoDeep"] \
            : main[g, t, s] / n[g, t, s] - main[g, t, "TwoDeep"] / n[g, t, "TwoDeep"] }
        function print_mean(s, t, of, g, d, sum, squares, count, error) { sum = squares = count = 0
            for (g in games) { d = t ? ratio(g, t, s, of) : (ratio(g, 16, s, of) - ratio(g, 1, s, of)) / 4
                sum += d; squares += d * d; count++ }
            error = student(count - 1) * sqrt((squares / count - (sum / count) ^ 2) / (count - 1))
            printf " %.2f (%.2f to %.2f) |", exp(sum / count), exp(sum / count - error), exp(sum / count + error) }
        END { schemes = split("TwoBig1 Thompson ThompsonBoth Deep Big1 BigAll New Old", name, " ")
            for (i = 1; i <= schemes; i++) { printf "| %s |", name[i]
                print_mean(name[i], 1, 1); print_mean(name[i], 4, 1); print_mean(name[i], 16, 1)
                print_mean(name[i], 0, 1); print_mean(name[i], 0, 2); printf "\n" } }' $lab/writers.csv
}

# Functions of awk for lesson.csv, which has 20 positions of each game. gain() is the mean gain `step` moves before the fall under
# a policy, with `low` and `high`, the limits of its 95% interval between games; `tried` and `changed` count positions.
lesson_functions='
    function bit(set, i) { return int(set / 2 ^ (i - 1)) % 2 }
    function gain(policy, step, i, n, g, squares, mean, error, sum, deviation, members) { n = tried = changed = sum = squares = 0
        for (i = 1; i <= rows[policy]; i++) if (bit(tries[policy, i], step)) { tried++; sum += gains[policy, i, step]
            changed += bit(changes[policy, i], step) }
        if (!tried) return low = high = 0
        mean = sum / tried
        for (i = 1; i <= rows[policy]; i++) if (bit(tries[policy, i], step)) deviation[group[policy, i]] += gains[policy, i, step] - mean
        for (g in deviation) { n++; squares += deviation[g] ^ 2 }
        error = n > 1 ? student(n - 1) * sqrt(squares * n / (n - 1)) / tried : 0
        low = mean - error; high = mean + error; return mean }
    FNR > 1 && $11 > 0 && $5 == depth { i = ++rows[$10]; group[$10, i] = int(($3 - 1) / 20); tries[$10, i] = $14; changes[$10, i] = $15
        kept[$10] += $13; for (step = 1; step <= 10; step++) gains[$10, i, step] = $(15 + step) }'

block_lesson_games() {
    echo "| policy | games | games with a fall | positions kept in each of them |"
    echo "|---|---|---|---|"
    table "$lesson_functions"'
        FNR > 1 && $5 == depth { all[$10]++ }
        END { split("Bebe Mouse Crafty", policy, " ")
            for (p = 1; p <= 3; p++) { q = policy[p]
                printf "| %s | %d | %d | %.1f |\n", q, all[q], rows[q], kept[q] / rows[q] } }' depth="$1" $lab/lesson.csv
}

# What a lesson regains at each distance, with searches to depth $1.
block_lesson() {
    echo "| plies before the fall | Bebe: other move | units regained | Mouse: other move | units regained | Crafty: other move | units regained |"
    echo "|---|---|---|---|---|---|---|"
    table "$lesson_functions"'
        END { split("Bebe Mouse Crafty", policy, " ")
            for (step = 1; step <= 10; step++) { printf "| %d |", 2 * step
                for (p = 1; p <= 3; p++) { mean = gain(policy[p], step)
                    printf " %.0f%% | %+.0f (%+.0f to %+.0f) |", tried ? 100 * changed / tried : 0, mean, low, high }
                printf "\n" } }' depth="$1" $lab/lesson.csv
}

# Functions of awk for bounds.csv, which has the 18 positions and the first of another set. choose(1) selects the former,
# choose(2) the latter, always the positions with all rows. change() is the geometric mean over them of
# the ratio of nodes of two searches, in percent less 100, as text with its 95% interval between positions. part() is the share
# of one counter in another, in percent, over all sizes of TwoDeep with two bounds.
bounds_functions='
    FNR > 1 { if ($3 > last[$1]) last[$1] = $3
        if (++rows[$1, $3] > most) most = rows[$1, $3]
        nodes[$1, $3, $4, $5, $6, $7] = $8; searches[$1, $4] += $10; iterations[$1, $4] += $2
        if ($6 == "TwoDeep" && $7 == "own") for (c = 13; c <= 19; c++) counter[$1, $4, c] += $c }
    function choose(set, s, p) { count = 0; for (s in last) if ((last[s] == 18) == (set == 1)) suite = s
        for (p = 1; p <= last[suite]; p++) if (rows[suite, p] == most) used[++count] = p }
    function change(of, to, i, r, sum, squares, error) {
        for (i = 1; i <= count; i++) { r = log(nodes[suite, used[i], of] / nodes[suite, used[i], to]); sum += r; squares += r * r }
        sum /= count; error = student(count - 1) * sqrt((squares / count - sum * sum + 1e-15) / (count - 1))
        percent = 100 * (exp(sum) - 1); low = 100 * (exp(sum - error) - 1); high = 100 * (exp(sum + error) - 1)
        return sprintf("%+.2f%% (%+.2f to %+.2f)", percent, low, high) }
    function key(driver, kilo, scheme, layout) { return driver SUBSEP kilo SUBSEP scheme SUBSEP layout }
    function part(driver, of, to) { return counter[suite, driver, to] ? 100 * counter[suite, driver, of] / counter[suite, driver, to] : 0 }
    BEGIN { split("PVS MTD(f) C*", drivers, " "); split("8 64 1024", sizes, " ") }'

# The nodes of a layout against those of a single bound, under each scheme. $1: layout.
block_bounds() {
    echo "| positions | driver | scheme | 8K entries | 64K | 1024K |"
    echo "|---|---|---|---|---|---|"
    table "$bounds_functions"'
        END { n = split(layout == "apart" ? "TwoDeep" : "New Deep TwoDeep Thompson", schemes, " ")
            for (s = 1; s <= 2; s++) for (d = 1; d <= 3; d++) for (i = 1; i <= n; i++) { choose(s)
                printf "| %d | %s | %s |", count, drivers[d], schemes[i]
                for (k = 1; k <= 3; k++)
                    printf " %s |", change(key(drivers[d], sizes[k], schemes[i], layout), key(drivers[d], sizes[k], schemes[i], "single"))
                printf "\n" } }' layout="$1" $lab/bounds.csv
}

# Two entries in a bucket with one bound each against one entry with two bounds.
block_bounds_verdict() {
    echo "| positions | driver | two bounds: Deep, own against single | two entries: TwoDeep against Deep, both single | both: TwoDeep, own against Deep, single |"
    echo "|---|---|---|---|---|"
    table "$bounds_functions"'
        END { for (s = 1; s <= 2; s++) for (d = 1; d <= 2; d++) { choose(s); one = key(drivers[d], 8, "Deep", "single")
            printf "| %d | %s | %s | %s | %s |\n", count, drivers[d], change(key(drivers[d], 8, "Deep", "own"), one),
                change(key(drivers[d], 8, "TwoDeep", "single"), one), change(key(drivers[d], 8, "TwoDeep", "own"), one) } }' $lab/bounds.csv
}

# How often the older of two bounds was needed, and the nodes of the drivers.
block_bounds_uses() {
    echo "| positions | driver | searches of the root an iteration | hits that find both bounds | cutoffs that need the older bound | narrower windows that need it | nodes against PVS (TwoDeep, own, 64K) |"
    echo "|---|---|---|---|---|---|---|"
    table "$bounds_functions"'
        END { for (s = 1; s <= 2; s++) for (d = 1; d <= 3; d++) { choose(s); q = drivers[d]
            printf "| %d | %s | %.1f | %.3f%% | %.4f%% | %s | %s |\n", count, q, searches[suite, q] / iterations[suite, q], part(q, 15, 14),
                part(q, 17, 16), counter[suite, q, 18] ? sprintf("%d of %d", counter[suite, q, 19], counter[suite, q, 18]) : "no windows",
                d == 1 ? "" : change(key(q, 64, "TwoDeep", "own"), key("PVS", 64, "TwoDeep", "own")) } }' $lab/bounds.csv
}

# --- position learning, hash files, analysis mode ---

block_learns() {
    echo "| policy | lost | drawn | won | different games | deviates from the lost line |"
    echo "|---|---|---|---|---|---|"
    table '
        FNR == 1 { nodes = 0; next }
        { if (!($1 in games)) order[++n] = $1; games[$1]++; result[$1, $4]++; if (!(($1, $5) in seen)) { seen[$1, $5]; different[$1]++ }
          if (!($1 in lost) && $4 == "0-1") lost[$1] = $3
          else if (($1 in lost) && !($1 in after)) after[$1] = $6 == "" ? "never" : "at its move " int($6 / 2) + 1 }
        END { for (i = 1; i <= n; i++) { p = order[i]
            printf "| %s | %d | %d | %d | %d | %s |\n", (p == "off" ? p : "`" p "`"), result[p, "0-1"], result[p, "1/2-1/2"], result[p, "1-0"],
                different[p], (p in after) ? after[p] : "never" } }' $learning/learns.csv
}

# The match of each policy; the interval is between openings.
block_elo() {
    echo "| what is kept | nodes a move | openings | games | points | Elo (95% interval) | KiB |"
    echo "|---|---|---|---|---|---|---|"
    table '
        function elo(share) { return -400 * log(1 / share - 1) / log(10) }
        function name(memory, part) { split(memory, part, "-")
            return part[1] == "table" ? "a table of " part[2] " MiB" : "`" part[1] "`" (part[2] ? ", falls of " part[2] " units" : "") }
        FNR == 1 { next }
        { m = $1 OFS $2 OFS $3; if (!(m in n)) order[++count] = m
          n[m]++; share[m, n[m]] = $6 / $5; games[m] += $5; points[m] += $6; kib[m] = $7 }
        END { for (i = 1; i <= count; i++) { m = order[i]; mean = points[m] / games[m]; squares = 0
            for (k = 1; k <= n[m]; k++) squares += (share[m, k] - mean) ^ 2
            error = student(n[m] - 1) * sqrt(squares / (n[m] - 1) / n[m]); split(m, word, " [|] ")
            printf "| %s | %d | %d | %d | %.1f | %+.0f (%+.0f to %+.0f) | %d |\n",
                name(word[1]), word[2], word[3], games[m], points[m],
                elo(mean), elo(mean - error), elo(mean + error), kib[m] } }' $learning/elo.csv
}

block_stepping() {
    echo "| table | positions | nodes at first | again | seconds at first | again |"
    echo "|---|---|---|---|---|---|"
    table '
        FNR == 1 { next }
        { for (i = 5; i <= 12; i++) sum[$3, i] += $i }
        END { split("forgets ages keeps", way, " "); split("emptied (`ucinewgame` in play),ages (no `ucinewgame`),analysis mode", name, ",")
            for (part = 0; part < 2; part++) for (w = 1; w <= 3; w++) { a = 5 + 2 * part
                printf "| %s | %s | %.2f M | %.2f M (%.0f%%) | %.1f | %.1f |\n", name[w], part ? "all five on the way forward" : "the last",
                    sum[way[w], a] / 1e6, sum[way[w], a + 1] / 1e6, 100 * sum[way[w], a + 1] / sum[way[w], a],
                    sum[way[w], a + 4] / 1000, sum[way[w], a + 5] / 1000 } }' $learning/stepping.csv
}

block_restart() {
    echo "| search | nodes | seconds |"
    echo "|---|---|---|"
    table '
        FNR == 1 { next }
        { for (i = 4; i <= 11; i++) sum[i] += $i; share = 100 * $7 / $5; if (share > worst) worst = share; depth = $1 }
        END { printf "| first search to depth %d | %.1f M | %.1f |\n", depth, sum[4] / 1e6, sum[5]
            printf "| the same search after a restart; the time includes starting and loading | %.1f M | %.2f (%.1f%%, at worst %.1f%%) |\n", sum[6] / 1e6, sum[7], 100 * sum[7] / sum[5], worst
            printf "| one ply deeper with the file | %.1f M | %.1f |\n", sum[8] / 1e6, sum[9]
            printf "| one ply deeper without the file | %.1f M | %.1f |\n", sum[10] / 1e6, sum[11] }' $learning/restart.csv
}

# --- figures ---

# Draws the figure $1 of the manifest.
draw() {
    local nodes="csv='$lab/replacement.csv'; out='$1'"
    case ${1##*/} in
    replacement-cleared.svg) gnuplot -e "$nodes; ply=8" scripts/lab/plot-replacement.gp ;;
    replacement-stamped.svg) gnuplot -e "$nodes; ply=8; stamping='stamped'" scripts/lab/plot-replacement.gp ;;
    figure-1.svg) gnuplot -e "$nodes" scripts/lab/plot-replacement.gp ;;
    figure-2.svg) gnuplot -e "$nodes; stamping='stamped'; history='kept'" scripts/lab/plot-replacement.gp ;;
    figure-3.svg) gnuplot -c scripts/lab/plot-depth.gp $lab/replacement.csv "$1" ;;
    modern.svg) gnuplot -c scripts/lab/plot-modern.gp $lab/modern.csv "$1" ;;
    keybits.svg) gnuplot -c scripts/lab/plot-keybits.gp $lab/keybits.csv "$1" ;;
    optimal.svg) gnuplot -c scripts/lab/plot-optimal.gp $lab/optimal.csv "$1" ;;
    optimal-today.svg) optimal_rows today > "$work/rows" && gnuplot -c scripts/lab/plot-optimal.gp "$work/rows" "$1" $today_positions 22 ;;
    census.svg) table "$census_functions"'
        function bar(from, to) { rate(from, to, 15); printf "%.0f %.0f %.0f\n", rate_of, low, high }
        END { bar(17, 20); bar(18, 18); bar(19, 19); bar(20, 20); bar(23, 23) }' $lab/census.csv |
        gnuplot -c scripts/lab/plot-census.gp "$1" ;;
    writers.svg) table "$writers_functions"'
        END { for (t = 2; t <= 64; t *= 2) { printf "%d", t
            for (i = 1; i <= schemes; i++) printf " %.3f", rate(at("forced", 8, t, name[i]), 21)
            for (m = 1; m <= 2; m++) for (c = 18; c <= 21; c += c == 18 ? 2 : 1)
                printf " %.3f", rate(at(m == 1 ? "forced" : "free", 8, t, "all"), c)
            printf "\n" } }' $lab/writers.csv > "$work/rates"
        gnuplot -c scripts/lab/plot-writers.gp "$work/rates" "$1" ;;
    lesson.svg) table "$lesson_functions"'
        END { for (step = 1; step <= 10; step++) { printf "%d", 2 * step
            split("Bebe Mouse Crafty", policy, " ")
            for (p = 1; p <= 3; p++) { mean = gain(policy[p], step); printf " %.1f %.1f %.1f", mean, low, high }
            printf "\n" } }' depth=9 $lab/lesson.csv |
        gnuplot -c scripts/lab/plot-lesson.gp "$1" ;;
    bounds.svg) gnuplot -c scripts/lab/plot-bounds.gp $lab/bounds.csv "$1" ;;
    model.svg) scripts/cluster/model.sh | gnuplot -c scripts/cluster/plot-model.gp "$1" ;;
    cost.svg) gnuplot -c scripts/plot-cost.gp nets/cost.csv "$1" ;;
    *) echo "results.sh: no way to draw $1" >&2; return 1 ;;
    esac
}
