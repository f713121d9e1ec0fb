#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/install.sh ENGINE FOLDER, scripts/install.sh --remove NAME FOLDER: installs the program ENGINE with manual page,
# README and licence below FOLDER (such as /usr/local), or removes them again. The manual page is made from what ENGINE
# prints, so ENGINE must run on this machine. `make install` and `make uninstall` call this script.
set -eu
cd "$(dirname "$0")/.."
if [ "$1" = --remove ]; then
    name=$2 folder=$3
    echo "REMOVE $folder/bin/$name"
    rm -f "$folder/bin/$name" "$folder/share/man/man6/palimpsest.6"
    rm -f "$folder/share/doc/palimpsest/README.md" "$folder/share/doc/palimpsest/COPYING"
    rmdir "$folder/share/doc/palimpsest" 2> /dev/null || : # stays if it has other files
    exit
fi
engine=$1 folder=$2 name=palimpsest
case $engine in *.exe) name=palimpsest.exe ;; esac
page=$(mktemp)
trap 'rm -f "$page"' EXIT
scripts/man.sh "$engine" > "$page"
echo "INSTALL $folder/bin/$name"
install -D -m 755 "$engine" "$folder/bin/$name"
install -D -m 644 "$page" "$folder/share/man/man6/palimpsest.6"
install -D -m 644 -t "$folder/share/doc/palimpsest" README.md COPYING
