#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# repeat.sh NAME OUT.csv [OPTION...]: makes a file of scripts/lab/results again that took several runs. NAME is
# replacement, middlegames, seeds-deep, equal-memory, equal-memory-games, optimal, bounds or writers. Each run gets the
# OPTIONs, too.
#   scripts/lab/repeat.sh replacement .data/replacement.csv --jobs 2
#   scripts/lab/repeat.sh replacement scripts/lab/results/replacement.csv --dry-run     counts what is missing in a file
# --dry-run is an option of `palimpsest-lab replacement`, so it is of no use for optimal, bounds and writers.
# Observations that are in OUT.csv are not made again, so an interrupted call continues. LAB=./palimpsest-lab is the program,
# from `make tools`.
set -euo pipefail
. "$(dirname "$0")/../usage.sh"

[ $# -ge 2 ] || usage
name=$1 out=$2
shift 2
options=("$@")
games=${PALIMPSEST_SHARED:-../shared}/data/middlegames-500.epd

run() { # EXPERIMENT OPTION...
    "${LAB:-./palimpsest-lab}" "$@" --csv "$out" ${options[@]+"${options[@]}"}
}

case $name in
replacement)
    run replacement
    run replacement --min-depth 3 --max-depth 7 --history kept
    run replacement --max-depth 7 --refresh --sizes 8,64,1024
    run replacement --max-depth 7 --refresh --sizes 8,64,1024 --history kept
    run replacement --min-depth 4 --max-depth 6 --refresh --sizes 8,64,1024 --history aged --no-reference
    ;;
middlegames) # scripts/lab/sum-games.sh then sums the positions of each game
    for history in cleared kept; do
        run replacement --positions "$games" --sizes 8,64 --no-reference --min-depth 4 --max-depth 5 --history "$history"
        run replacement --positions "$games" --sizes 8,64 --no-reference --min-depth 4 --max-depth 5 --history "$history" \
            --refresh --schemes TwoBig1,TwoDeep,Deep,New
    done
    run replacement --positions "$games" --sizes 8,64 --no-reference --min-depth 4 --max-depth 6 --stamping off
    ;;
seeds-deep)
    run replacement --seeds 8 --min-depth 7 --max-depth 7 --sizes 8,64,1024 --no-reference
    run replacement --seeds 3 --min-depth 7 --max-depth 7 --sizes 8,64,1024 --no-reference --history kept
    ;;
equal-memory)
    run replacement --schemes TwoBig1,Big1 --sizes 6,7,48,56 --min-depth 7 --max-depth 7 --stamping off --no-reference
    run replacement --schemes TwoBig1,Big1 --sizes 12,14,48,56 --min-depth 8 --max-depth 8 --stamping off --no-reference
    ;;
equal-memory-games) # scripts/lab/sum-games.sh then sums the positions of each game
    run replacement --positions "$games" --schemes TwoBig1,Big1 --sizes 6,7,48,56 --min-depth 6 --max-depth 6 --stamping off \
        --no-reference
    ;;
optimal) # the published file has 12 positions of the second run
    run optimal
    run optimal --depth 8
    run optimal --positions "$games" --number 25
    ;;
bounds) # the published file has 11 positions of the second run
    run bounds
    run bounds --positions "$games" --number 25
    ;;
writers) # the published file has 6 positions of the last two runs
    run writers --number 20 --depth 10 --threads 1
    run writers --number 20 --depth 10 --forced --threads 4,16 --tables 8 --repeats 3
    run writers --number 20 --depth 10 --forced --threads 2,4,8,16,32,64
    run writers --number 20 --depth 10
    ;;
*) usage ;;
esac
