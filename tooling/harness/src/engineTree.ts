/** A statement that answers how the engine itself reads expressions, one row for each node. It runs none of them. */
export const explainStatement = (written: ReadonlyArray<string>): string =>
  `SELECT explain FROM (EXPLAIN AST SELECT ${written.join(", ")})`

interface Allowed {
  readonly functions: ReadonlySet<string>
  /** Columns, and parameters of lambdas. */
  readonly names: ReadonlySet<string>
}

// What a SELECT of expressions needs around them.
const frame = [
  /^SelectWithUnionQuery \(children 1\)$/,
  /^ ExpressionList \(children 1\)$/,
  /^ {2}SelectQuery \(children 1\)$/,
  /^ {3}ExpressionList \(children \d+\)$/
]

const isAllowed = (node: string, { functions, names }: Allowed): boolean => {
  if (/^ExpressionList(?: \(children \d+\))?$/.test(node)) return true
  // With an alias behind it, a literal ends otherwise.
  if (node.startsWith("Literal ")) return /^Literal (?:'.*'|NULL|\w+_[-+.\w]+)$/s.test(node)
  const [, kind, name = ""] = /^(Function|Identifier) (.*?)(?: \(children \d+\))?$/s.exec(node) ?? []
  return kind === "Function" ? functions.has(name) : kind === "Identifier" && names.has(name)
}

/**
 * The nodes of a tree of the engine that expressions may not have: anything but literals, and functions and columns by their names. A
 * tree with another number of expressions than were written has a node that says so.
 *
 * @param lines The answer of `explainStatement`.
 * @param written How many expressions there were.
 */
export const foreignNodes = (
  lines: ReadonlyArray<string>,
  written: number,
  allowed: Allowed
): ReadonlyArray<string> => {
  const around = frame.flatMap((pattern, index) =>
    pattern.test(lines[index] ?? "") ? [] : [lines[index] ?? "nothing"]
  )
  const nodes = lines.slice(frame.length)
  const expressions = nodes.filter((line) => /^ {4}\S/.test(line)).length
  return [
    ...around,
    ...(expressions === written ? [] : [`${expressions} expressions in place of ${written}`]),
    ...nodes.map((line) => line.trimStart()).filter((node) => !isAllowed(node, allowed))
  ]
}
