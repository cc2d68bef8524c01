/** A row of a numbered table: what is added, and what is reported until it is there. */
export interface Step {
  readonly number: number
  /** The texts between backticks or double quotes of the last cell: each is printed by the compiler or by a test. */
  readonly reported: ReadonlyArray<string>
}

/** The rows that begin with a number, of the section below a heading. */
export const stepsBelow = (page: string, heading: string): ReadonlyArray<Step> => {
  const [, section = ""] = page.split(`\n## ${heading}\n`)
  return (section.split("\n## ")[0] ?? "").split("\n").flatMap((line) => {
    const [, number, last = ""] = /^\| *(\d+) \|.*\|([^|]+)\|$/u.exec(line) ?? []
    const quoted = Array.from(last.matchAll(/`([^`]+)`|"([^"]+)"/gu), ([, code, text]) => code ?? text ?? "")
    return number === undefined ? [] : [{ number: Number(number), reported: quoted }]
  })
}
