#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# help-entries.sh ENGINE: prints the entries of the engine's `help`, one a line, with tabs between the fields: part of the
# text (1: commands, 2: options), command with its arguments or option with its values, purpose.
# man.sh and completion.sh make their pages of these lines.
set -eu
. "$(dirname "$0")/usage.sh"
[ $# = 1 ] || usage
help=$("$1" help) || { echo "help-entries.sh: cannot run $1; manual page and completion are made from its help" >&2; exit 1; }
# The first line of an entry is indented by 2, its other lines by 12; the last line is its purpose.
printf '%s\n' "$help" | awk '
    function end_entry() {
        if (tag != "") print part "\t" tag "\t" purpose
        tag = purpose = ""
    }
    /^[^ ]/ { end_entry(); part++; next }
    /^  [^ ]/ { end_entry(); tag = substr($0, 3); next }
    { sub(/^ +/, ""); if (purpose != "") tag = tag " " purpose; purpose = $0 }
    END { end_entry() }'
