#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fails on an include that points upwards: base < chess < nnue < engine < the programs, which never
# include one another.
cd "$(dirname "$0")/.." || exit 1
grep -rHoE '^ *# *include "[a-z]+/' --include='*.[ch]' src | awk -F'[/:"]' '
    BEGIN { split("base chess nnue engine", order, " "); for (i in order) rank[order[i]] = i + 0 }
    {
        from = $2; to = $(NF - 1)
        from_rank = from in rank ? rank[from] : 9
        to_rank = to in rank ? rank[to] : 9
        if (from != to && (to_rank > from_rank || to_rank == 9)) {
            print "upward include: " $0
            bad = 1
        }
    }
    END { exit bad }'
