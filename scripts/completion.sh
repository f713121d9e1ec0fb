#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/completion.sh ENGINE bash|zsh: prints the completion of palimpsest for this shell. Its commands and options come
# from the engine's own `help`, so it always fits that build.
set -eu
. "$(dirname "$0")/usage.sh"
[ $# = 2 ] || usage
engine=$1 shell=$2
help=$("$(dirname "$0")/help-entries.sh" "$engine")

# Prints the parts of `help`, one a line, with tabs between the fields:
#   command NAME PURPOSE WORDS, the words that can follow the command
#   phrase TEXT, one for each value of each option, such as "setoption name Ponder value true"
parts() {
    printf '%s\n' "$help" | awk -F '\t' '
        # The words of arguments such as "<move> [depth|nodes n]" without placeholders: depth nodes.
        function words_of(text,  i, count, word, found) {
            gsub(/<[^>]*>/, " ", text)
            gsub(/\[(fen|file|folders|score)\]/, " ", text)
            count = split(text, word, /[^A-Za-z0-9_-]+/)
            for (i = 1; i <= count; i++)
                if (word[i] != "" && word[i] !~ /^(n|ms|hash|threads|limit|hashMB|secs)$/ && !((text, word[i]) in seen)) {
                    seen[text, word[i]] = 1
                    found = found (found == "" ? "" : " ") word[i]
                }
            return found
        }
        function print_option(text,  name, values, i, count, value) {
            name = text; sub(/ \(.*/, "", name)
            values = text; sub(/.*\(/, "", values); sub(/\).*/, "", values)
            if (values == "button") { print "phrase\tsetoption name " name; return }
            if (values == "path") { print "phrase\tsetoption name " name " value"; return }
            if (values ~ /^(true|false)$/) values = "true false"
            if (values ~ /\.\./) sub(/;.*/, "", values) # a number: its default
            sub(/^[^;]*; /, "", values)                 # words: without the default, which is one of them
            count = split(values, value, " ")
            for (i = 1; i <= count; i++) print "phrase\tsetoption name " name " value " value[i]
        }
        $1 == 1 {
            name = $2; sub(/ .*/, "", name)
            print "command\t" name "\t" $3 "\t" words_of(substr($2, length(name) + 1))
        }
        $1 == 2 { print_option($2) }'
}
names() { parts | awk -F '\t' '$1 == "command" { printf "%s ", $2 } END { print "--help --version" }'; }
phrases() { parts | sed -n 's/^phrase.//p'; }

case $shell in
bash)
    cat << END
# Completion of palimpsest for bash, made by scripts/completion.sh. Licence: GPL-3.0-or-later.
_palimpsest_phrases='$(phrases)'

# Completes a command in quotes, a word of "setoption name ... value ...", or a word of another command.
_palimpsest() {
    local current=\${COMP_WORDS[COMP_CWORD]} IFS=\$' \t\n' words= typed phrase
    COMPREPLY=()
    if [[ \$current = [\"\']* ]]; then
        while IFS= read -r phrase; do
            [[ \$phrase != "\${current:1}"* ]] || COMPREPLY+=("\$phrase")
        done <<< "\$_palimpsest_phrases"
        return
    fi
    typed="\${COMP_WORDS[*]:1:COMP_CWORD-1} "
    case \$typed in
    ' ') words='$(names)' ;;
    'setoption '*)
        while IFS= read -r phrase; do
            [[ \$phrase != "\$typed"* ]] || { phrase=\${phrase#"\$typed"} && words+=" \${phrase%% *}"; }
        done <<< "\$_palimpsest_phrases"
        ;;
$(parts | awk -F '\t' '$1 == "command" && $2 != "setoption" && $4 != "" { printf "    \x27%s \x27*) words=\x27%s\x27 ;;\n", $2, $4 }')
    esac
    mapfile -t COMPREPLY < <(compgen -W "\$words" -- "\$current" | sort -u)
}
complete -o default -F _palimpsest palimpsest
END
    ;;
zsh)
    cat << END
#compdef palimpsest
# Completion of palimpsest for zsh, made by scripts/completion.sh. Licence: GPL-3.0-or-later.
_palimpsest() {
    local typed="\${(j: :)words[2,CURRENT-1]} " phrase
    local -a commands=(
$(parts | awk -F '\t' '$1 == "command" { gsub(/\x27/, "\x27\\\x27\x27", $3); printf "        \x27%s:%s\x27\n", $2, $3 }')
        '--help:show how to start the program'
        '--version:show the version'
    )
    local -a phrases=(
$(phrases | sed "s/.*/        '&'/")
    )
    case \$typed in
    ' ') _describe command commands ;;
    'setoption '*)
        for phrase in \$phrases; do
            [[ \$phrase != "\$typed"* ]] || compadd -- \${\${phrase#"\$typed"}%% *}
        done
        ;;
$(parts | awk -F '\t' '$1 == "command" && $2 != "setoption" && $4 != "" { printf "    \x27%s \x27*) compadd -- %s; _files ;;\n", $2, $4 }')
    *) _files ;;
    esac
}
_palimpsest "\$@"
END
    ;;
*)
    echo "completion.sh: unknown shell: $shell" >&2
    exit 2
    ;;
esac
