// The scripts ask the program for what may be put in place of a word, and have no list of commands. Its stdin are the words
// that are typed: they may hold a secret, which no list of processes may show. It answers with a line that says what is
// completed, one with what stands before it in the same word, and the candidates. The candidates of a list it prints
// when it is asked a second time, because only they need the service.

const bash = `# Completion of headgate for bash: source <(headgate completion bash)
_headgate_ask() {
  printf '%s\\n' "\${words[@]:1}" | tr -d "\\"'\\\\\\\\" | command headgate "$@" 2>/dev/null
}

_headgate() {
  # The words without the divisions that bash makes at = and :
  local words=() n=0 i line=$COMP_LINE
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((i > 0)) && [[ $line == [[:blank:]]* ]]; then ((n++)); fi
    words[n]=\${words[n]}\${COMP_WORDS[i]}
    line=\${line#*"\${COMP_WORDS[i]}"}
  done
  # $2 is what a candidate replaces; it may begin within the word.
  local cur=\${words[n]} head kind prefix value all=()
  head=\${cur%"$2"}
  local typed=\${cur//[\\"\\'\\\\]/} kept=\${head//[\\"\\'\\\\]/}
  {
    IFS= read -r kind
    IFS= read -r prefix
    while IFS= read -r value; do all+=("\${value%%$'\\t'*}"); done
  } < <(_headgate_ask complete)
  COMPREPLY=()
  case $kind in
    files | directories)
      compopt -o filenames 2>/dev/null
      local action=-f
      [[ $kind == directories ]] && action=-d
      while IFS= read -r value; do
        value=$prefix$value
        COMPREPLY+=("\${value#"$kept"}")
      done < <(compgen "$action" -- "\${typed#"$prefix"}")
      return
      ;;
    list\\ *)
      while IFS= read -r value; do all+=("$prefix\${value%%$'\\t'*}"); done < <(_headgate_ask complete-values "\${kind#list }")
      ;;
  esac
  for value in "\${all[@]}"; do
    [[ $value == "$typed"* ]] || continue
    value=\${value#"$kept"}
    case $head in
      *\\') value=\${value//\\'/\\'\\\\\\'\\'} ;;
      *\\") value=\${value//\\\\/\\\\\\\\} value=\${value//\\$/\\\\$} value=\${value//\\\`/\\\\\\\`} value=\${value//\\"/\\\\\\"} ;;
      *) printf -v value %q "$value" ;;
    esac
    COMPREPLY+=("$value")
  done
}

complete -F _headgate headgate`

const zsh = `#compdef headgate
# Completion of headgate for zsh: source <(headgate completion zsh), after compinit
_headgate() {
  local -a typed=("\${(@Q)words[2,CURRENT]}") all shown
  local kind prefix line
  {
    IFS= read -r kind
    IFS= read -r prefix
    while IFS= read -r line; do
      all+=("\${line%%$'\\t'*}")
      shown+=("\${line/$'\\t'/  -- }")
    done
  } < <(print -rl -- "\${typed[@]}" | command headgate complete 2>/dev/null)
  case $kind in
    words) compadd -l -d shown -a all ;;
    files) compset -P "$prefix"; _files ;;
    directories) compset -P "$prefix"; _files -/ ;;
    list\\ *)
      compset -P "$prefix"
      while IFS= read -r line; do
        all+=("\${line%%$'\\t'*}")
        shown+=("\${line/$'\\t'/  -- }")
      done < <(print -rl -- "\${typed[@]}" | command headgate complete-values "\${kind#list }" 2>/dev/null)
      compadd -l -d shown -a all
      ;;
  esac
}

# Either a file of fpath is loaded, or the script is read.
if [[ "\${zsh_eval_context[-1]}" == "loadautofunc" ]]; then
  _headgate "$@"
else
  compdef _headgate headgate
fi`

const fish = `# Completion of headgate for fish: headgate completion fish | source
function __headgate_ask
    string join \\n -- (commandline -opc)[2..] (commandline -ct) | command headgate $argv 2>/dev/null
end

function __headgate_complete
    set -l lines (__headgate_ask complete)
    set -l prefix $lines[2]
    set -l path (string replace -- "$prefix" "" (commandline -ct))
    switch "$lines[1]"
        case words
            string join \\n -- $lines[3..]
        case files
            string join \\n -- "$prefix"(complete -C "'' $path")
        case directories
            string join \\n -- "$prefix"(complete -C "'' $path" | string match -r '^[^\\t]*/(?:\\t.*)?$')
        case 'list *'
            string join \\n -- "$prefix"(__headgate_ask complete-values (string replace "list " "" $lines[1]))
    end
end

complete -c headgate -f -a '(__headgate_complete)'`

/** The shells that `headgate completion` has a script for. */
export const shells = ["bash", "zsh", "fish"] as const
type Shell = (typeof shells)[number]

/** The completion script of each shell. */
export const scripts: { readonly [Name in Shell]: string } = { bash, zsh, fish }
