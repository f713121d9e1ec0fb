#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# page/build.sh FOLDER: makes FOLDER/page/index.html, the page with a board, from the engine in FOLDER. Everything is inside this
# one file, so it also works from a disk. The libraries come from npm once, in the versions of package-lock.json.
set -euo pipefail
. "$(dirname "$0")/../../usage.sh"
[ $# = 1 ] || usage
target=$(realpath "$1")
cd "$(dirname "$0")"
command -v npm > /dev/null || { echo "page/build.sh: npm is missing" >&2; exit 1; }
[ node_modules/.complete -nt package-lock.json ] || { npm ci --silent --no-audit --no-fund && touch node_modules/.complete; }
node build.mjs "$target"
