#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# version.sh: prints the version of the engine, UCI_VERSION in src/uci/program.h.
set -eu
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
sed -n 's/^#define UCI_VERSION "\(.*\)"/\1/p' "$(dirname "$0")/../src/uci/program.h"
