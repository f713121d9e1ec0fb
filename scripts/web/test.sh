#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# test.sh [pictures FOLDER]: tests what `make web` has built: the npm package in node, also installed from its archive, and the
# page in a headless Chromium. PATIENCE=N: everything may take N times as long. The last line is "N passed, N failed, N
# skipped"; tests without emcc, node or chromium are skipped and say so.
set -uo pipefail
. "$(dirname "$0")/../usage.sh"
[ $# = 0 ] || { [ $# = 2 ] && [ "$1" = pictures ]; } || usage
cd "$(dirname "$0")/../.." || exit 1
out=build/web
pictures=
[ "${1:-}" != pictures ] || pictures=$(realpath "$2")
. scripts/checks.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

skip() { # REASON
    echo "skipped: the build for browsers: $1"
    echo "0 passed, 0 failed, 1 skipped"
}
run() { "$@" 2>&1 | tee -a "$work/log" || status=1; }

for program in emcc node; do
    command -v $program > /dev/null || { skip "$program is missing"; exit; }
done
[ -s $out/palimpsest.wasm ] || { skip "run make web first"; exit; }
bench=$(scripts/bench.sh --committed) || exit 1
run timeout 900 node scripts/web/test/engine.js $out "$bench"

# The archive, installed as a user would do it.
if command -v npm > /dev/null; then
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
    if (timeout 120 npm pack --silent --pack-destination "$work" ./$out && cd "$work" && timeout 120 npm init -y &&
        timeout 120 npm install --offline --no-audit --no-fund ./palimpsest-chess-*.tgz && timeout 120 node play.js &&
        timeout 120 node_modules/.bin/palimpsest --version) > "$work/npm" 2>&1; then
        run echo "1 passed, 0 failed, 0 skipped"
    else
        cat "$work/npm"
        run echo "FAILED: web: the archive of npm"
        run echo "0 passed, 1 failed, 0 skipped"
        status=1
    fi
else
    run skip "npm is missing"
fi

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || :)
if [ -z "$chromium" ]; then
    run skip "chromium is missing"
elif [ ! -s $out/page/index.html ]; then
    run skip "the page was not built"
else
    run timeout 400 node scripts/web/test/browser.js "$chromium" $out $pictures
fi
sum_counts "$work/log"
exit $status
