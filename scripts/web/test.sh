#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/web/test.sh [pictures FOLDER]: tests what `make web` has built: the npm package in node, also installed from its
# archive, and the page in a headless Chromium, of which FOLDER gets pictures. PATIENCE=N: everything may take N times as
# long. Prints lines "N passed, N failed, N skipped"; tests without emcc, node or chromium are skipped and say so.
set -uo pipefail
. "$(dirname "$0")/../usage.sh"
[ $# = 0 ] || { [ $# = 2 ] && [ "$1" = pictures ]; } || usage
cd "$(dirname "$0")/../.." || exit 1
out=build/web
pictures=
[ "${1:-}" != pictures ] || pictures=$(realpath "$2")
. scripts/checks.sh
status=0
run() { "$@" 2>&1 | tee -a "$work/log" || status=1; }

lacking=
for program in emcc node; do
    command -v $program > /dev/null || lacking="$program is missing"
done
[ -s $out/palimpsest.wasm ] || lacking=${lacking:-run make web first}
if [ -n "$lacking" ]; then
    skip "the build for browsers: $lacking"
    print_counts
    exit
fi
bench=$(scripts/bench.sh --committed) || exit 1
run timeout 900 node scripts/web/test/engine.js $out "$bench"

# The archive, installed as a user would do it.
cat > "$work/play.js" << 'END'
const { create } = require('palimpsest-chess');
create().then(async engine => {
    const moves = [];
    for (let ply = 0; ply < 4; ply++) {
        engine.send('position startpos moves ' + moves.join(' '));
        moves.push((await engine.go('nodes 1000')).move);
    }
    engine.send('quit');
    await engine.exited;
    process.exit(moves.every(move => /^[a-h][1-8][a-h][1-8]$/.test(move)) ? 0 : 1);
});
END
plays_from_archive() ( # in a subshell, because of cd
    timeout 120 npm pack --silent --pack-destination "$work" ./$out && cd "$work" && timeout 120 npm init -y &&
        timeout 120 npm install --offline --no-audit --no-fund ./palimpsest-chess-*.tgz && timeout 120 node play.js &&
        timeout 120 node_modules/.bin/palimpsest --version
)
if command -v npm > /dev/null; then
    check "web: the archive of npm is installed and plays" plays_from_archive
else
    skip "web: the archive of npm: npm is missing"
fi

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || :)
if [ -z "$chromium" ]; then
    skip "web: the page: chromium is missing"
elif [ ! -s $out/page/index.html ]; then
    skip "web: the page: it was not built"
else
    run timeout 400 node scripts/web/test/browser.js "$chromium" $out $pictures
fi
run print_counts
sum_counts "$work/log"
exit $status
