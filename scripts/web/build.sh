#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh [package]: builds the engine for browsers and node in build/web: WebAssembly with SIMD, an npm package around it,
# and the page in build/web/page. With "package", without the page. `make web` calls this script. Needs emcc and node; the
# page also needs npm, and its registry once. OPTIMISE=-O1 builds faster.
set -euo pipefail
. "$(dirname "$0")/../usage.sh"
[ -z "${1:-}" ] || [ "$1" = package ] || usage
cd "$(dirname "$0")/../.."
out=build/web objects=build/web-objects
optimise=${OPTIMISE:--O3}
for program in emcc node; do
    command -v $program > /dev/null || { echo "build.sh: $program is missing: scripts/deps.sh gcc web installs it" >&2; exit 1; }
done
# Debian's emcc needs JavaScript libraries of Debian, which only Debian's node finds by itself.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

# build NAME FLAGS LINK: builds $out/NAME.js and .wasm with these further flags of the compiler and linker.
build() {
    local march='-msimd128 -msse4.1' link='-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2147483648 -sINITIAL_MEMORY=67108864'
    link+=' -sINVOKE_RUN=0 -sMODULARIZE -sEXPORT_NAME=PalimpsestCore -sENVIRONMENT=web,worker,node'
    link+=' -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0'
    # shellcheck disable=SC2086 # a list of words
    WEB_CLANG_FLAGS=$(emcc $optimise $march $2 --cflags)
    export WEB_CLANG_FLAGS
    # main_web.c calls main() by another name.
    "${MAKE:-make}" --no-print-directory engine CC=scripts/web/emcc MODE=release ARCH=wasm SYZYGY=no MEMORY=no \
        BUILD="$objects/$1" EXE="$objects/$1/palimpsest.js" MARCH="$march" OPT_release="$optimise -DNDEBUG" \
        EXTRA_CFLAGS="-Dmain=thread_main -Wno-missing-prototypes $2" LDFLAGS="$link $3"
    sed "s/@NAME@/$1/" scripts/web/package/api.js | cat "$objects/$1/palimpsest.js" - > "$out/$1.js"
    cp "$objects/$1/wasm-release-emcc/palimpsest.wasm" "$out/$1.wasm"
    chmod 644 "$out/$1.wasm"
}

WEB_CLANG=$(em-config LLVM_ROOT)/clang
export WEB_CLANG
rm -rf $out
mkdir -p $out
# One thread: threads take turns as fibers (src/base/thread_web.c), which need ASYNCIFY.
build palimpsest '' '-sASYNCIFY -sEXPORTED_RUNTIME_METHODS=callMain,FS'
build palimpsest-threads -pthread '-sEXPORTED_RUNTIME_METHODS=callMain,FS,PThread -Wno-pthreads-mem-growth'
worker=$objects/palimpsest-threads/wasm-release-emcc/palimpsest.worker.js # only emcc before 3.1.68 makes it
[ ! -e $worker ] || cp $worker $out/palimpsest-threads.worker.js
cp scripts/web/package/{palimpsest-*.js,palimpsest.d.ts,README.md} COPYING $out/
root=$(em-config EMSCRIPTEN_ROOT)
cat /usr/share/doc/emscripten/copyright > $out/LICENCES-emscripten.txt 2> /dev/null || # of its C library and runtime
    cat "$root/LICENSE" "$root/system/lib/libc/musl/COPYRIGHT" > $out/LICENCES-emscripten.txt
version=$(scripts/version.sh)
case $version in *.*.*) ;; *) version=$version.0 ;; esac # npm wants three numbers
sed "s/@VERSION@/$version/" scripts/web/package/package.json > $out/package.json

if [ "${1:-}" != package ]; then scripts/web/page/build.sh "$PWD/$out"; fi
for wasm in "$out"/*.wasm; do
    printf '%s: %d KiB, %d KiB compressed\n' "$wasm" $(($(wc -c < "$wasm") / 1024)) $(($(gzip -9c "$wasm" | wc -c) / 1024))
done
