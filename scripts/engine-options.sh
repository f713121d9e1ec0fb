#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# engine-options.sh ENGINE [NAME=VALUE ...]: fails, with a message, if the UCI engine lacks one of these options, if a number is
# outside the range of its option, or if the engine answers with an error when it is set. fastchess only warns and plays on
# without the option.
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
# Prints the range of the spin option in the line OFFER if VALUE is outside.
range_without() { # VALUE OFFER
    sed -n 's/.* type spin / /p' <<< "$2" | awk -v value="$1" '{
        for (i = 1; i < NF; i++) { if ($i == "min") min = $(i + 1); if ($i == "max") max = $(i + 1) }
        if (value !~ /^[-+]?[0-9]+$/ || (min != "" && value + 0 < min + 0) || (max != "" && value + 0 > max + 0)) print min " to " max
    }'
}
said=$(orders "$@" | timeout 60 "$engine" 2>&1 | tr -d '\r')
for option; do
    offer=$(grep -iF -m 1 "option name ${option%%=*} type" <<< "$said") ||
        { echo "$engine has no option '${option%%=*}'" >&2; exit 1; }
    range=$(range_without "${option#*=}" "$offer")
    [ -z "$range" ] || { echo "$engine: option '${option%%=*}' is from $range, not '${option#*=}'" >&2; exit 1; }
    [[ $option != EvalFile=* || -r ${option#*=} ]] || { echo "cannot read the network '${option#*=}'" >&2; exit 1; }
done
error=$(sed -n '/^uciok/,$p' <<< "$said" | grep -m 1 '^info string error')
[ -z "$error" ] || { echo "$engine: ${error#info string }" >&2; exit 1; }
