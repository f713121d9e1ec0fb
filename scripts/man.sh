#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/man.sh ENGINE: prints the manual page palimpsest(6). Its commands and options come from the engine's own
# `help`, so the page always fits that build; src/uci/README.md describes the same tables at more length.
set -eu
. "$(dirname "$0")/usage.sh"
[ $# = 1 ] || usage
engine=$1
help=$("$(dirname "$0")/help-entries.sh" "$engine")
version=$("$engine" --version)

# Prints part $1 of `help` (1: commands, 2: options) as tagged paragraphs.
entries() {
    printf '%s\n' "$help" | awk -F '\t' -v part="$1" '
        function roff(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            return text ~ /^[.\x27]/ ? "\\&" text : text
        }
        $1 == part {
            name = $2
            sub(part == 1 ? " .*" : " [(].*", "", name)
            print ".TP"
            print "\\fB" roff(name) "\\fR" roff(substr($2, length(name) + 1))
            print roff($3)
        }'
}

# Prints the section on PALIMPSEST_ARCH if the program contains several engines; `cpu` lists them.
environment() {
    "$engine" cpu | sed 's/-/\\-/g' | sed -n 's/^Engines: \(.*\)/\n.SH ENVIRONMENT\n.TP\n.B PALIMPSEST_ARCH\nengine to run instead of the best one for this processor: \1/p'
}

cat << END
.\\" Made by scripts/man.sh of Palimpsest. Licence: GPL-3.0-or-later.
.TH PALIMPSEST 6 "" "$version" "Games"
.SH NAME
palimpsest \\- UCI chess engine
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
Palimpsest plays chess, Chess960 and double Chess960. It has no board of its own: without arguments it speaks the
Universal Chess Interface (UCI) on standard input and output, with a graphical user interface, a tournament manager or
a person.
.PP
With arguments it runs commands and ends. Arguments without blanks form one command; if one of them contains a blank,
each argument is a command. All arguments of
.B suite
and
.B annotate
form one command, so file names may hold blanks there. Other arguments that begin with a hyphen are ignored, because some clients pass them to every
engine.
.SH OPTIONS
.TP
.BR \\-h ", " \\-\\-help
show how to start the program
.TP
.BR \\-v ", " \\-\\-version
show the version
.SH COMMANDS
Unknown words before a command and lines that begin with # are ignored. The answer to an invalid command is a line that
begins with
.BR "info string error" .
Most of these commands change nothing, but
.B position
skips unknown words after startpos and plays the moves before an illegal one,
.B go
searches in spite of a faulty number or word, and
.B memory import
leaves out the faulty lines.
$(entries 1)
.SH UCI OPTIONS
Set an option by
.B setoption name
.I option
.B value
.IR x ;
names may be written in upper or lower case. Default values and ranges are in parentheses.
$(entries 2)$(environment)
.SH GRAPHICAL PROGRAMS
.B xboard \-autoInstall all
finds the engine and adds it to the list of its engines; the entry "Palimpsest" in the menu of the desktop starts
.BR "xboard \-fUCI \-fcp palimpsest" .
Both need
.BR polyglot (6).
Other programs need to be told the file of the engine. PyChess: Edit, Engines, New. Cute Chess: Tools, Settings, Engines, +.
Arena: Engines, Install New Engine. The protocol is UCI.
.SH EXIT STATUS
.TP
.B 0
success
.TP
.B 1
a command of the command line failed, its output could not be written, or
.B HashFile Auto
could not save
.TP
.B 3
the processor lacks an instruction set that the program was built for
.SH EXAMPLES
.TP
.B palimpsest go depth 12
search the start position to depth 12
.TP
.B palimpsest \\(dqposition startpos moves e2e4\\(dq \\(dqgo movetime 1000\\(dq
search another position for one second
.TP
.B palimpsest bench
search fixed positions; the node count identifies the version
.SH SEE ALSO
.BR xboard (6),
.BR polyglot (6)
.PP
README.md describes the engine in more detail, src/uci/README.md its commands and options: in the sources, and in
share/doc/palimpsest if "make install" or a package has put them there.
.SH COPYRIGHT
Free software under the GNU General Public License, version 3 or later; there is no warranty.
END
