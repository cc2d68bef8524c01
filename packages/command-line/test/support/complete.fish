# Prints what fish offers for the last of the words in $argv, of which the first is the program, with descriptions.
source ./script
complete -C "$argv"
