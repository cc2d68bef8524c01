# Prints what bash offers for the last of the words in "$@", of which the first is the program.
source ./script
COMP_WORDS=(); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
for word in "$@"; do
  # As bash divides words at =.
  if [[ $word == --*=?* ]]; then COMP_WORDS+=("${word%%=*}" = "${word#*=}"); else COMP_WORDS+=("$word"); fi
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
[[ $(complete -p "$1") =~ -F\ ([^ ]+) ]]
"${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
