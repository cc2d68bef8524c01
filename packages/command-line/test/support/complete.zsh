# Prints what zsh offers for the last of the words in "$@", of which the first is the program. Only the line editor
# completes, so an interactive zsh gets the words and a tab in a pseudo-terminal. There compadd, which every completion
# calls, prints the candidates between < and >.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit && compinit -u -D; source ./script; bindkey "^I" complete-word'
zpty -w shell 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a found; builtin compadd -A found "$@"; print -rl -- "<"$^found">"; builtin compadd "$@"
}
finish() { print -r -- "<""END>"; exit }
comppostfuncs=(finish); print "<""START>"'
zpty -r shell output '*<START>*'
zpty -n -w shell "$*"$'\t'
zpty -r shell output '*<END>*'
print -r -- "$output" | grep -o '<[^<>]*>' | grep -v '<END>' | tr -d '<>'
zpty -d shell
