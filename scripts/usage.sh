# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by scripts, before they change to another folder: what they say when they are called in a wrong way. The usage of
# a script is its comment from line 3 on; with the argument --help it is printed here. A relative PALIMPSEST_SHARED becomes
# absolute. Works in bash and dash.
unset CDPATH # with it, cd prints the folder
usage_folder=$PWD # $0 may be relative to it
case ${PALIMPSEST_SHARED:-/} in /*) ;; *) PALIMPSEST_SHARED=$PWD/$PALIMPSEST_SHARED ;; esac
print_usage() { (cd "$usage_folder" && sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"); }

# usage: prints the usage and ends the script.
usage() {
    print_usage >&2
    exit 2
}

# A decimal number, as a regular expression.
number='([0-9]+\.?|[0-9]*\.[0-9]+)([eE][-+]?[0-9]+)?'

# need_program FILE: ends the script, with a message, unless FILE is a program.
need_program() {
    [ -f "$1" ] && [ -x "$1" ] || { echo "${0##*/}: '$1' is not a program: build it first" >&2; exit 2; }
}

[ "${1:-}" != --help ] || { print_usage; exit 0; }
