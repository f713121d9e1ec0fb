#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# engine-options.sh ENGINE [NAME=VALUE ...]: fails, with a message, if the UCI engine lacks one of these options or answers
# with an error when it is set. fastchess only warns of an unknown option and plays on without it.
set -u
. "$(dirname "$0")/usage.sh"
[ $# -ge 1 ] || usage
need_program "$1"
engine=$1
shift
[ $# -gt 0 ] || exit 0
orders() {
    echo uci
    for option; do echo "setoption name ${option%%=*} value ${option#*=}"; done
    printf 'isready\nquit\n'
}
said=$(orders "$@" | timeout 60 "$engine" 2>&1)
for option; do
    grep -qiF "option name ${option%%=*} type" <<< "$said" || { echo "$engine has no option '${option%%=*}'" >&2; exit 1; }
    [[ $option != EvalFile=* || -r ${option#*=} ]] || { echo "cannot read the network '${option#*=}'" >&2; exit 1; }
done
error=$(sed -n '/^uciok/,$p' <<< "$said" | grep -m 1 '^info string error')
[ -z "$error" ] || { echo "$engine: ${error#info string }" >&2; exit 1; }
