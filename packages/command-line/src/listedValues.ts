// effect/cli's script for PowerShell only knows values that are written in it. A list is written as one value with this
// prefix, which is not escaped; then it becomes a call of the program. The words that are typed so far, of which the last is
// completed, are its stdin: they may hold a secret, which no list of processes may show.
const prefix = "values-of-"
const marker = new RegExp(`${prefix}([a-z-]+)`).source

/** The type of a flag or an argument whose values are those of a list. */
export const listedType = (list: string) => ({ _tag: "Choice" as const, values: [`${prefix}${list}`] })

const listing = (program: string, script: string): string =>
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

/** Makes a completion script for PowerShell list the values of each {@link listedType}. */
export const listValues = (program: string, script: string): string =>
  script.includes(prefix) ? listing(program, script) : script
