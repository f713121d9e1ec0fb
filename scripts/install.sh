#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/install.sh ENGINE FOLDER: installs the program ENGINE below FOLDER (such as /usr/local), with manual page,
#   completion for bash and zsh, README with all pages it leads to, licence, and two files that make desktops and xboard
#   show the engine
# scripts/install.sh --share ENGINE FOLDER: only manual page, completion and those two files
# scripts/install.sh --list: prints the paths of these files below FOLDER
# scripts/install.sh --pages: prints the paths of README and its pages, here and below share/doc/palimpsest
# scripts/install.sh --remove NAME FOLDER: removes what the first form has installed
# Manual page and completion are made from what ENGINE prints, so ENGINE must run on this machine. `make install` and
# `make uninstall` call this script.
set -eu
. "$(dirname "$0")/usage.sh"
here=$PWD
case ${1:-} in --remove | --share) wanted=3 ;; --list | --pages) wanted=1 ;; *) wanted=2 ;; esac
[ $# = $wanted ] || usage
cd "$(dirname "$0")/.."
in_caller() { case $1 in /*) echo "$1" ;; *) echo "$here/$1" ;; esac; } # PATH, which is relative to the caller's folder
manual=share/man/man6/palimpsest.6
bash=share/bash-completion/completions/palimpsest
zsh=share/zsh/site-functions/_palimpsest
desktop=share/applications/palimpsest.desktop
xboard=share/games/plugins/uci/palimpsest.eng # H.G. Muller, "Auto-instal of engines", 2014
doc=share/doc/palimpsest
share="$manual $bash $zsh $desktop $xboard"
pages() { # without those of npm packages
    find README.md nets scripts src tests -name node_modules -prune -o \
        -type f \( -name '*.md' -o -name '*.svg' -o -name '*.png' \) -print
}
if [ "$1" = --list ]; then
    printf '%s\n' $share
    exit
fi
if [ "$1" = --pages ]; then
    pages
    exit
fi
if [ "$1" = --remove ]; then
    name=$2 folder=$(in_caller "$3")
    echo "REMOVE $folder/bin/$name"
    for file in "bin/$name" $share $doc/COPYING; do rm -f "$folder/$file"; done
    pages | while IFS= read -r page; do rm -f "$folder/$doc/$page"; done
    [ ! -d "$folder/$doc" ] || find "$folder/$doc" -depth -type d -exec rmdir {} \; 2> /dev/null || : # other files stay
    exit
fi
all=yes
[ "$1" != --share ] || { all=no && shift; }
engine=$(in_caller "$1") folder=$(in_caller "$2") name=palimpsest
case $engine in *.exe) name=palimpsest.exe ;; esac
umask 022 # for new folders
put() { mkdir -p "${3%/*}" && install -m "$1" "$2" "$3"; } # MODE FILE TARGET; install -D is only in GNU
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP # dash does not run the line before after a signal
scripts/man.sh "$engine" > "$work/manual"
scripts/completion.sh "$engine" bash > "$work/bash"
scripts/completion.sh "$engine" zsh > "$work/zsh"
put 644 "$work/manual" "$folder/$manual"
put 644 "$work/bash" "$folder/$bash"
put 644 "$work/zsh" "$folder/$zsh"
put 644 scripts/release/palimpsest.desktop "$folder/$desktop"
put 644 scripts/release/palimpsest.eng "$folder/$xboard"
[ $all = yes ] || exit 0
echo "INSTALL $folder/bin/$name"
put 755 "$engine" "$folder/bin/$name"
pages | while IFS= read -r page; do put 644 "$page" "$folder/$doc/$page" || exit 1; done
put 644 COPYING "$folder/$doc/COPYING"
