#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/cluster/model.sh [NAME=VALUE...]: a model of many processes, explained in README.md here. Prints a line for each number of
# processes and delay of the network: the depth of the results that are worth sending, the speed-up for three shares
# of duplicate work, and what the best depth costs each process.
#
#   scripts/cluster/model.sh | gnuplot -c scripts/cluster/plot-model.gp scripts/cluster/model.svg
#
# Values, with those of the picture. Measured: speed=1.46e6 nodes per second of a thread, branching=1.38, adopt_ns=100 to check
# and store a result; how many results of which depth there are, in scripts/cluster/results.csv; own=0.66, the share of work that
# two processes both do even with a perfect network. Chosen: threads=1 of each process, seconds=10 for a search, poll_us=1000
# between two looks at the network; less=0.24, a share like `own` that another engine seems to have. Assumed: message_us=2 of a
# processor to send or receive a message; link=1e9 bits per second. only=N: the costs of this depth, not of the best one.
set -euo pipefail
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/../usage.sh"
names='speed|branching|adopt_ns|own|threads|seconds|poll_us|less|message_us|link|only'
for setting; do
    [[ $setting =~ ^($names)=$number$ ]] ||
        { echo "model.sh: $setting: is not NAME=VALUE with a number; --help lists the names" >&2; exit 2; }
done
cd "$(dirname "$0")/../.."
awk -v speed=1.46e6 -v branching=1.38 -v adopt_ns=100 -v threads=1 -v seconds=10 -v own=0.66 -v less=0.24 -v poll_us=1000 \
    -v message_us=2 -v link=1e9 -v only=0 -f - "$@" scripts/cluster/results.csv << 'MODEL'
# Results per node by depth: a line through the logarithms, least squares.
BEGIN { FS = "," }
/^[0-9]/ { n++; x = $1; y = log($3 / $2); sx += x; sy += y; sxx += x * x; sxy += x * y }

function per_node(depth) { return exp(level + slope * depth) }

# Sets what a process does when results of this depth and more are sent; returns the speed-up of all. `twice`: share of
# work that two processes both do even with a perfect network.
function consider(count, delay_us, depth, twice,    rate, messages, subtree, repeated) {
    rate = threads * speed * per_node(depth)       # results per second of a process
    messages = rate * poll_us / 1e6 > 1 ? 1e6 / poll_us : rate
    received = (count - 1) * rate
    bits = (count - 1) * 8 * (18 * rate + 100 * messages)
    share = (received * adopt_ns / 1e9 + 2 * (count - 1) * messages * message_us / 1e6) / threads
    subtree = 1 / (speed * per_node(depth))
    repeated = (subtree + (delay_us + poll_us) / 1e6) / (seconds * (1 - 1 / branching))
    return share >= 1 || bits > link ? 0 : count / (1 + (count - 1) * (repeated + twice)) * (1 - share)
}

END {
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    level = (sy - slope * sx) / n
    print "# processes delay_us depth speed_up:own less 0 Mbit/s results/s processor_share"
    for (delay_us = 1; delay_us <= 1000; delay_us *= delay_us < 100 ? 100 : 10) {
        for (count = 1; count <= 1024; count *= 2) {
            best = 0
            chosen = only
            for (depth = only > 0 ? only : 1; depth <= (only > 0 ? only : 40); depth++) {
                gain = consider(count, delay_us, depth, 0)
                if (gain > best) { best = gain; chosen = depth }
            }
            printf "%d %d %d %.2f %.2f %.2f ", count, delay_us, chosen, consider(count, delay_us, chosen, own),
                consider(count, delay_us, chosen, less), best
            printf "%.2f %.0f %.4f\n", bits / 1e6, received, share
        }
        print "\n"
    }
}
MODEL
