#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# picture.sh: makes the picture of the page in README.md from what `make web` has built: scripts/web/page.png. Needs chromium
# and ImageMagick.
set -euo pipefail
. "$(dirname "$0")/../usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATIENCE=${PATIENCE:-10} ./test.sh pictures "$work"
convert "$work/light.png" -resize 1000x -dither None -colors 64 -strip -define png:compression-level=9 page.png
