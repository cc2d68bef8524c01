import type * as Completions from "effect/cli/Completions"

// effect/cli's scripts only know values that are written in them. A list is written as one value with this prefix, which
// no generator escapes; then it becomes a call of a function that runs the program. The words that are typed so far, of
// which the last is completed, are its stdin: they may hold a secret, which no list of processes may show.
const prefix = "values-of-"
const marker = new RegExp(`${prefix}([a-z-]+)`).source

/** The type of a flag or an argument whose values are those of a list. */
export const listedType = (list: string) => ({ _tag: "Choice" as const, values: [`${prefix}${list}`] })

const bash = (program: string, script: string): string => `_${program}--values()
{
  local _value _values=()
  while IFS= read -r _value; do
    _values+=("\${_value%%$'\\t'*}")
  done < <(printf '%s\\n' "\${words[@]:1:cword}" | tr -d "\\"'\\\\\\\\" | command ${program} complete-values "$1" 2>/dev/null)
  _${program}--choices "$cur" "$_comp_word" "\${_values[@]}"
}

${script.replace(new RegExp(`_${program}--choices "\\$cur" "\\$_comp_word" '${marker}'`, "g"), `_${program}--values $1`)}`

const zsh = (program: string, script: string): string =>
  script
    // A subcommand sees only its own words.
    .replace(`\n_${program}() {\n`, (start) => `${start}  local -a typed_words=("\${(@Q)words[2,CURRENT]}")\n`)
    .replace(new RegExp(`\\(${marker}\\)`, "g"), ` _${program}--values $1`)
    .replace(
      "# Handle both direct invocation and autoload\n",
      (end) => `_${program}--values() {
  local line
  local -a values descriptions
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    descriptions+=("\${line/$'\\t'/  -- }")
  done < <(print -rl -- "\${typed_words[@]}" | command ${program} complete-values $1 2>/dev/null)
  compadd -l -d descriptions -a values
}

${end}`
    )

const fish = (program: string, script: string): string => `function __${program}_values
  string join \\n -- (commandline -opc)[2..] (commandline -ct) | command ${program} complete-values $argv[1] 2>/dev/null
end

${script.replace(new RegExp(`'${marker}'`, "g"), `'(__${program}_values $1)'`)}`

const powershell = (program: string, script: string): string =>
  script.replace(new RegExp(`values = @\\('${marker}'\\)`, "g"), "values = @(); list = '$1'").replace(
    "\n    if ($entry.pathType) {\n",
    (paths) => `
    if ($entry.list) {
      $words = @(foreach ($element in $commandAst.CommandElements) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value }
        else { $element.Extent.Text }
      }) + $typed
      foreach ($line in @($words | Select-Object -Skip 1 | & ${program} complete-values $entry.list 2>$null)) {
        $value, $about = $line -split "\`t", 2
        & $add $value 'ParameterValue' $about $typed $textPrefix
      }
    }${paths}`
  )

const scripts = { bash, zsh, fish, powershell }

/** Makes a completion script list the values of each {@link listedType}. */
export const listValues = (program: string, shell: Completions.Shell, script: string): string =>
  script.includes(prefix) ? scripts[shell](program, script) : script
