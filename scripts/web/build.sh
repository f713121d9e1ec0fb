#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh [package]: builds the engine for browsers and node in build/web: WebAssembly with SIMD, an npm package around it,
# and the page in build/web/page. With "package", without the page. `make web` calls this script. Needs emcc and node; the
# page also needs npm, and its registry once.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/web objects=build/web-objects
for program in emcc node; do
    command -v $program > /dev/null || { echo "build.sh: $program is missing: scripts/deps.sh gcc web installs it" >&2; exit 1; }
done
# Debian's emcc needs JavaScript libraries of Debian, which only Debian's node finds by itself.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

# Threads take turns as fibers (src/base/thread_web.c), which need ASYNCIFY; it calls main() by another name.
flags='-Dmain=thread_main -Wno-missing-prototypes'
link='-sASYNCIFY -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2147483648 -sINITIAL_MEMORY=67108864 -sINVOKE_RUN=0 -sMODULARIZE'
link+=' -sEXPORT_NAME=PalimpsestCore -sEXPORTED_RUNTIME_METHODS=callMain,FS -sENVIRONMENT=web,worker,node'
link+=' -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0'
"${MAKE:-make}" --no-print-directory engine CC=emcc MODE=release ARCH=wasm SYZYGY=no MEMORY=no BUILD=$objects \
    EXE=$objects/palimpsest.js MARCH='-msimd128 -msse4.1' OPT_release='-O3 -DNDEBUG' EXTRA_CFLAGS="$flags" LDFLAGS="$link"

rm -rf $out
mkdir -p $out
cat $objects/palimpsest.js scripts/web/package/api.js > $out/palimpsest.js
cp $objects/wasm-release-emcc/palimpsest.wasm $out/
chmod 644 $out/palimpsest.wasm
cp scripts/web/package/{palimpsest-cli.js,palimpsest-worker.js,palimpsest.d.ts,README.md} COPYING $out/
cp /usr/share/doc/emscripten/copyright $out/LICENCES-emscripten.txt 2> /dev/null || : # of its C library and runtime
version=$(sed -n 's/^#define UCI_VERSION "\(.*\)"/\1/p' src/uci/program.h)
case $version in *.*.*) ;; *) version=$version.0 ;; esac # npm wants three numbers
sed "s/@VERSION@/$version/" scripts/web/package/package.json > $out/package.json

if [ "${1:-}" != package ]; then scripts/web/page/build.sh "$PWD/$out"; fi
printf '%s: %d KiB, %d KiB compressed\n' $out/palimpsest.wasm $(($(wc -c < $out/palimpsest.wasm) / 1024)) \
    $(($(gzip -9c $out/palimpsest.wasm | wc -c) / 1024))
