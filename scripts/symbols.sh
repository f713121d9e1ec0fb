#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/symbols.sh OBJECT...: fails if one of these object files defines a global name that libfathom exports, too.
# The linker would then silently use our function for calls inside the library.
set -eu
. "$(dirname "$0")/usage.sh"
[ $# -ge 1 ] || usage
names=$(mktemp)
trap 'rm -f "$names"' EXIT
trap 'exit 130' INT TERM HUP # dash does not run the line before after a signal

printf '%s\n' encode leading_pawn first_ei num_tables probe_table TB_probe_dtm tb_init \
    root_probe_dtm > "$names"
for library in /usr/lib/*/libfathom.so /usr/lib*/libfathom.so /usr/local/lib/libfathom.so; do
    [ ! -e "$library" ] || nm -D --defined-only "$library" | awk '{ print $3 }' >> "$names"
done

nm -g --defined-only -A "$@" | awk -v names="$names" '
    BEGIN { while ((getline name < names) > 0) taken[name] = 1 }
    { seen++ }
    $NF in taken || $NF ~ /^tb_/ { print "name of libfathom: " $0; bad = 1 }
    END { if (!seen) { print "no object files"; bad = 1 } exit bad }'
