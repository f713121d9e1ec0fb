#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/man.sh ENGINE: prints the manual page palimpsest(6). Commands and options are what the engine's own
# `help` lists, so that the page of an engine is true of it.
set -eu
engine=$1
version=$("$engine" --version) || { echo "man.sh: cannot run $engine, which the page is made from" >&2; exit 1; }
help=$("$engine" help)

# The entries of one part of `help`, as tagged paragraphs: an entry is indented by 2, its further lines by 12, the
# last of which tells its purpose.
entries() {
    printf '%s\n' "$help" | awk -v part="$1" '
        function roff(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            return text ~ /^[.\x27]/ ? "\\&" text : text
        }
        function end_entry() {
            if (tag == "") return
            name = tag
            if (part == 1) sub(/ .*/, "", name)
            else sub(/ \(.*/, "", name)
            rest = substr(tag, length(name) + 1)
            print ".TP"
            print "\\fB" roff(name) "\\fR" roff(rest)
            print roff(purpose)
            tag = purpose = ""
        }
        /^[^ ]/ { end_entry(); at++; next }
        at != part { next }
        /^  [^ ]/ { end_entry(); tag = substr($0, 3); next }
        { sub(/^ +/, ""); if (purpose != "") tag = tag " " purpose; purpose = $0 }
        END { end_entry() }'
}

# A program that holds several engines lists them.
environment() {
    "$engine" cpu | sed 's/-/\\-/g' | sed -n 's/^Engines: \(.*\)/\n.SH ENVIRONMENT\n.TP\n.B PALIMPSEST_ARCH\nwhich of the engines in the program is to run, instead of the best that the processor can: \1/p'
}

cat << END
.\\" Made by scripts/man.sh of Palimpsest. Licence: GPL-3.0-or-later.
.TH PALIMPSEST 6 "" "$version" "Games"
.SH NAME
palimpsest \\- chess engine that remembers
.SH SYNOPSIS
.B palimpsest
.br
.B palimpsest
.I COMMAND
.br
.B palimpsest
.RI \\(dq COMMAND "\\(dq \\(dq" COMMAND \\(dq...
.br
.B palimpsest
.RB [ \\-\\-help | \\-\\-version ]
.SH DESCRIPTION
Palimpsest plays chess, Chess960 and double Chess960. It has no board of its own: without arguments it talks with a
graphical user interface, a tournament manager or a person by the Universal Chess Interface, a line at a time, on
standard input and output.
.PP
With arguments it carries out commands and ends: arguments without blanks are one command together, otherwise each is
one. Arguments that begin with a hyphen, other than those below, are ignored, since other programs pass such to engines.
.SH OPTIONS
.TP
.B \\-\\-help
tell how to call the program
.TP
.B \\-\\-version
tell the version
.SH COMMANDS
Words before a command are skipped, as are lines that begin with #. What makes no sense is answered by a line that
begins with
.BR "info string error" ,
and changes nothing.
$(entries 1)
.SH UCI OPTIONS
They are set by
.B setoption name
.I option
.B value
.IR x ;
letters may be of either case. Here are their values at first and what values there are.
$(entries 2)$(environment)
.SH EXIT STATUS
.TP
.B 0
success
.TP
.B 1
a command of the command line was refused
.TP
.B 3
the processor lacks what the program was built to use
.SH EXAMPLES
.TP
.B palimpsest go depth 12
search the position a game begins with twelve plies deep
.TP
.B palimpsest \\(dqposition startpos moves e2e4\\(dq \\(dqgo movetime 1000\\(dq
search another for a second
.TP
.B palimpsest bench
count the nodes of a fixed search, by which versions can be told apart
.SH SEE ALSO
.BR xboard (6)
.PP
The README that comes with the program tells more of options, commands and how it was made.
.SH COPYRIGHT
Free software under the GNU General Public License, version 3 or later; there is no warranty.
END
