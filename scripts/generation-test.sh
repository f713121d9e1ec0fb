#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# generation-test.sh: checks that generation.sh and compare-trainings.sh go on after interruptions, and what the match gets,
# in a folder with a blank in its name and with false programs: a make, tools that only write their files, and a fastchess.
# The last line is "N passed, N failed, N skipped".
set -u
export LC_ALL=C # awk: decimal points
. "$(dirname "$0")/usage.sh"
[ $# = 0 ] || usage
cd "$(dirname "$0")/.." || exit 1
. scripts/checks.sh
tree="$work/a tree" out="$work/a tree/.data/gen-0"
mkdir -p "$tree/scripts" "$tree/src/"{chess,games,nnue,train} "$work/bin" "$work/made"
cp scripts/{generation,compare-trainings,match,fastchess,engine-options,usage}.sh "$tree/scripts"
cp src/nnue/arch.h "$tree/src/nnue"
cp src/games/gamecode.h "$tree/src/games"
touch "$tree/src/"{chess/bitboard,chess/position,games/a,nnue/a,train/a}.h "$tree/src/"{games,nnue,train}/a.c "$tree/src/nnue/a.S"
mkdir "$work/games"
printf PALGAME1 | tee "$work/games/of another generation" > "$work/more-games"
touch "$work/games/SHA256SUMS"
echo "8/8/8/8/8/8/8/8 w - -" > "$work/book.epd"

# The false program FILE, a script of the text at its input. If it is LONG, it works until a signal comes, and counts signals.
fake() { # FILE
    { printf '#!/bin/bash\n[ "${LONG:-}" != "${0##*/}" ] || . "%s/long"\n' "$work"; cat; } > "$work/$1"
    chmod +x "$work/$1"
}
cat > "$work/long" <<END
trap 'echo signal >> "$work/signals"; kill \$! 2> /dev/null' TERM INT HUP
echo \$\$ > "$work/playing"
sleep 60 & wait
sleep 0.2 # a second signal may come
exit 130
END
fake made/palimpsest <<'END'
echo "option name EvalFile type string default <empty>"
END
fake made/palimpsest-datagen <<'END'
case $1 in
    --stats) echo "wins model: a = 200.0 b = 50.0" ;;
    *) while [ "$1" != --out ]; do shift; done; echo games > "$2" ;;
esac
END
# Trains an epoch unless it resumes, and runs the command WHILE_TRAINING. With HALT it ends before it writes the network.
fake made/palimpsest-train <<'END'
meanwhile=${WHILE_TRAINING:-}
unset WHILE_TRAINING
[ -z "$meanwhile" ] || eval "$meanwhile"
case " $* " in *" --resume "*) ;; *) echo "epoch 1/1: loss 0.01" ;; esac
while [ "$1" != --out ]; do shift; done
echo checkpoint > "$2.ckpt"
[ -z "${HALT:-}" ] || exit 1
echo network > "$2"
printf '%s\n' "network 12345678: rounding error 1.0" "written to $2"
END
# With the file `halt` it ends after the first program.
fake bin/make <<'END'
work=$(dirname "$(dirname "$(realpath "$0")")")
for word; do [[ $word != EXE=* ]] || folder=$(dirname "${word#EXE=}"); done
cp "$work/made/palimpsest-train" "$folder"
[ ! -e "$work/halt" ] || exit 1
cp "$work/made/"* "$folder"
END
# During the match it runs the command MEANWHILE.
fake bin/fastchess <<'END'
printf '%s\n' "$@" > "$(dirname "$(dirname "$(realpath "$0")")")/words"
echo "Started the match"
meanwhile=${MEANWHILE:-}
unset MEANWHILE
[ -z "$meanwhile" ] || eval "$meanwhile"
printf '%s\n' "Elo: 1.00 +/- 2.00" "Games: 2, Wins: 1, Losses: 1" "Ptnml(0-2): [0, 0, 1, 0, 0]"
END

make_generation() { # N NAME=VALUE...: the shared folder is relative to the folder of the caller
    (cd "$work" && env PATH="$work/bin:$PATH" PALIMPSEST_SHARED=. BOOK="$work/book.epd" "$tree/scripts/generation.sh" "$1" GAMES=2 "${@:2}")
}
generation() { make_generation 0 "$@"; }
fresh() { # NAME=VALUE: in a generation that has not begun
    mv "$out" "$out-begun"
    generation "$@"
    local status=$?
    [ ! -e "$out" ] || status=99
    rm -rf "$out" && mv "$out-begun" "$out"
    return $status
}
halted() { touch "$work/halt"; ! generation; }
completes() { # the report has all its parts
    rm -f "$work/halt" "$out/report.txt"
    generation || return 1
    cat "$out/report.txt"
    grep -q '^epoch 1/1' "$out/report.txt" && grep -q 'rescaled by 1\.0000$' "$out/report.txt" &&
        grep -qE '^[0-9a-f]{64}  .*/net\.nnue$' "$out/report.txt" && grep -q '^Elo: 1\.00' "$out/report.txt"
}
completes_without() { # FILE...: after an interruption these files are missing
    (cd "$out" && rm "$@") && completes
}

lacks() { ! grep -q "$1" "$2"; } # TEXT FILE

refused() { # N: the script shows how to use it
    "$tree/scripts/generation.sh" "$1" 2> "$work/answer"
    [ $? = 2 ] && grep -q '^generation.sh N ' "$work/answer"
}

for n in 08 010 00 9999999999; do
    check "there is no generation $n" refused $n
done
check "an interrupted build ends the generation" halted
check "the programs are built again" completes
check "the network of the match may have blanks in its path" grep -qx 'option\.EvalFile=/.*/a tree/\.data/gen-0/net\.nnue' "$work/words"
check "the network has its checkpoint" test -s "$out/net.nnue.ckpt"
check "it learned from the shared games" grep -qx '.*/games/of another generation' "$out/data"
check "but not from the file of their checksums" lacks SHA256SUMS "$out/data"
check "a finished generation is only reported" completes
check "a generation without its unit is completed" completes_without unit.txt
check "so is one without its network" completes_without net.nnue
check "so is one without both and without a match" completes_without net.nnue unit.txt match.txt
unsettled() { : > "$out/settings" && completes; }
check "so is one whose settings did not fit on the disk" unsettled

for setting in LAMBDA=0.5 DATA="$work/more-games" SHARED_GAMES=no; do
    check "$setting is refused in a generation without it" ends 1 'gen-0 was started with other settings: bootstrap soft 200 ' \
        generation $setting
done
check "a TREE_SCALE out of range is refused" ends 1 'TREE_SCALE is from' fresh TREE=1 TREE_SCALE=9
for setting in TREE_DEPTH=2 TREE_SCALE=2; do
    check "$setting is refused without TREE" ends 1 'have no effect without TREE' generation $setting
done
for setting in EPOCHS=0 LR=0 LR=5 LR=0.000001 SEED=9007199254740993 FIRST=1 UNIT=0 UNIT=20000 THREADS=0 POSITIONS=0 TC=2+0,02 LAMBDA=1.5 LAMBDA=0,5 SHARED_GAMES=NO FIRST=3x EPOCHS=0x10 HARD=100 DATA=no/file DATA=/dev/null "DATA=$work/more-games $work/book.epd" DATA=/ PARENT=bootstrap SOFT=300; do
    check "$setting is refused before anything is made" ends 1 "^generation.sh: .*${setting%%=*}" fresh "$setting"
done
stray() { # a file in the folder of the shared games
    touch "$work/games/README"
    fresh
    local status=$?
    rm "$work/games/README"
    return $status
}
check "another file among the shared games is refused, too" ends 1 "/games/README' is not a file of games" stray
for setting in GAMES=4 TC=1+0.01; do
    check "$setting is refused after the match" ends 1 'gen-0 has a match of 2 games at 2\+0\.02: delete ' generation $setting
done
check "but GAMES=0 is not" generation GAMES=0
replays() { rm "$out/match.txt" && generation GAMES=4 && grep -qx "4 games at 2+0.02" "$out/match.settings"; }
check "without its result another match is played" replays
# The same command once more, while the match runs: it is refused and the match goes on.
again="\"$tree/scripts/generation.sh\" 0 GAMES=2 < /dev/null > \"$work/second\" 2>&1"
held() {
    rm "$out/match.txt"
    MEANWHILE=$again generation || return 1
    cat "$work/second"
    grep -q '^generation.sh: another generation.sh runs in ' "$work/second" && grep -q '^Elo: 1\.00' "$out/report.txt"
}
if command -v flock > /dev/null; then check "only one process makes a generation" held; else skip "two generation.sh at a time: no flock"; fi
unit_of() { # UNIT NAME=VALUE...: generation 0 with these settings leaves this unit to the later ones
    mv "$out" "$out-begun"
    generation "${@:2}"
    cat "$out/unit"
    grep -qx "$1" "$out/unit"
    local status=$?
    rm -rf "$out" && mv "$out-begun" "$out"
    return $status
}
check "generation 0 measures the unit" unit_of 200.0
check "a given unit is that of the later generations, too" unit_of 250 UNIT=250 SOFT=300 HARD=1500
child() { echo "$1" > "$work/parent.nnue" && make_generation 1 PARENT="$work/parent.nnue"; }
check "a generation continues with the same parent" eval "child one && child one"
check "and refuses another in the same file" ends 1 'gen-1 was started with other settings' child two

# A signal ends each step; Ctrl-C, which the whole group gets, reaches its program only once.
ends_step_by() { # SIGNAL PROGRAM COMMAND...
    rm -f "$work/signals"
    ends_by "$1" env LONG="$2" PATH="$work/bin:$PATH" PALIMPSEST_SHARED="$work" BOOK="$work/book.epd" "${@:3}" || return
    [ "$(wc -l < "$work/signals")" = 1 ] || { echo "more than one signal"; return 1; }
}
for signal in TERM -INT; do
    rm -rf "$tree/.data/gen-1"
    for program in make palimpsest-datagen palimpsest-train fastchess; do
        check "SIG${signal#-} ends generation.sh while $program runs" ends_step_by $signal $program "$tree/scripts/generation.sh" \
            1 GAMES=2 PARENT="$work/parent.nnue"
    done
done

compare() { env PATH="$work/bin:$PATH" BOOK="$work/book.epd" "$tree/scripts/compare-trainings.sh" base lambda=0.5 GAMES=2 "$@"; }
halted_comparison() { ! HALT=yes compare; }
compares() { # NAME=VALUE...: the report has the last epoch of both trainings
    compare "$@" > /dev/null || return 1
    cat "$tree/.data/choices/"*/report.txt > "$work/compared"
    cat "$work/compared"
    [ "$(grep -c '^epoch 1/1' "$work/compared")" = 2 ] && grep -q '^Elo: 1\.00' "$work/compared"
}
check "an interrupted training ends the comparison" halted_comparison
check "the report has also what was trained before" compares
check "another match of the same networks may follow" compares LIMIT=nodes=5
check "also one of more games" compares GAMES=4
changed() { echo "# another search" >> "$work/made/palimpsest" && compares; }
check "and one after a change of the engine" changed
meanwhile="\"$tree/scripts/compare-trainings.sh\" base lambda=0.5 GAMES=2 LIMIT=nodes=7 < /dev/null > \"$work/second\" 2>&1"
undisturbed() { MEANWHILE=$meanwhile compares LIMIT=nodes=7; }
check "a second command during the match does not spoil it" undisturbed
# While `base` is trained, another comparison with it is refused before it trains anything, also if it names it second.
other() { # VARIANTS: a command that compares them once
    rm -f "$work/second"
    echo "[ -e '$work/second' ] || '$tree/scripts/compare-trainings.sh' $1 GAMES=2 < /dev/null > '$work/second' 2>&1"
}
held_variant() { # VARIANTS
    rm -rf "$tree/.data/choices"
    WHILE_TRAINING=$(other "$1") compares || return
    cat "$work/second"
    grep -q "^compare-trainings.sh: another compare-trainings.sh trains 'base' in .data/choices/" "$work/second" &&
        [ "$(find "$tree/.data/choices" -name training.txt | wc -l)" = 2 ]
}
if command -v flock > /dev/null; then
    for variants in "base lambda=0.6" "lambda=0.6 base"; do
        check "only one process trains a variant: $variants" held_variant "$variants"
    done
else
    skip "two compare-trainings.sh at a time: no flock"
fi
shared_variant() { WHILE_TRAINING=$(other "base lambda=0.6") compare_others && grep -q '^Elo: 1\.00' "$work/second"; }
compare_others() { env PATH="$work/bin:$PATH" BOOK="$work/book.epd" "$tree/scripts/compare-trainings.sh" base lambda=0.7 GAMES=2; }
check "but others may use one that is trained" shared_variant
untrained() { # STATUS REGEX COMMAND...: refused before the first training
    rm -rf "$tree/.data/choices"
    ends "$@" && [ ! -e "$tree/.data/choices" ]
}
with_fastchess() { PATH="$work/bin:$PATH" BOOK="$work/book.epd" "$@"; }
check "a mistake in the second variant is found first" untrained 2 '^compare-trainings.sh A B ' with_fastchess "$tree/scripts/compare-trainings.sh" base lamda=0.5
for setting in GAMES=3 LIMIT=2+0,02; do
    check "$setting is refused before the training" untrained 2 "^compare-trainings.sh: ${setting%%=*} " compare "$setting"
done
bookless() { (unset BOOK && PALIMPSEST_SHARED=$work/none "$tree/scripts/compare-trainings.sh" base lambda=0.5); }
check "so are openings that are missing" untrained 2 '^compare-trainings.sh: cannot read the openings ' with_fastchess bookless
print_counts
