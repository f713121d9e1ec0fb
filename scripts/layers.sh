#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# layers.sh: checks the includes of src/. A layer (LAYERS in the Makefile) includes itself and the layers before it, the
# programs on top never include one another (only cluster, the UCI engine on several machines, includes uci), and no
# files include each other in a circle (a.h and a.c count as one).
set -uo pipefail
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
layers=$(sed -n "s/^LAYERS := //p" Makefile)
bad=0

# One line for each include of a project file: the file, a blank, what it includes.
includes() {
    find src -name '*.[ch]' -exec grep -HoE '^ *# *include "[a-z0-9_/]+\.[a-z]+"' {} + |
        sed -E 's|^src/([^:]*): *# *include "([^"]*)"|\1 \2|'
}

includes | awk -v layers="$layers" '
    BEGIN { n = split(layers, order, " "); for (i = 1; i <= n; i++) rank[order[i]] = i }
    {
        split($1, from, "/"); split($2, to, "/")
        from_rank = from[1] in rank ? rank[from[1]] : n + 1
        to_rank = to[1] in rank ? rank[to[1]] : n + 1
        if (from[1] != to[1] && !(from[1] == "cluster" && to[1] == "uci") && (to_rank > from_rank || to_rank > n)) {
            print "upward include: src/" $1 " includes " $2
            bad = 1
        }
    }
    END { exit bad }' || bad=1

# tsort names the files of every circle on its standard error.
circles=$(includes | sed -E 's/\.[a-z]+( |$)/\1/g' | awk '$1 != $2' | LC_ALL=C tsort 2>&1 > /dev/null)
if [ -n "$circles" ]; then
    printf 'circle of files:\n%s\n' "$(sed 's/^tsort: //' <<< "$circles")"
    bad=1
fi
exit $bad
