// It need not be there: the engine only reads the statement.
const table = "explained"

/** A statement that answers how the engine itself reads expressions, one row for each node. It runs none of them. */
export const explainStatement = (written: ReadonlyArray<string>): string =>
  `SELECT explain FROM (EXPLAIN AST SELECT ${written.join(", ")} FROM ${table})`

interface Allowed {
  readonly functions: ReadonlySet<string>
  /** Columns, and parameters of lambdas. */
  readonly names: ReadonlySet<string>
}

// What a SELECT of expressions needs around them.
const before = [
  /^SelectWithUnionQuery \(children 1\)$/,
  /^ ExpressionList \(children 1\)$/,
  /^ {2}SelectQuery \(children 2\)$/,
  /^ {3}ExpressionList \(children \d+\)$/
]
const behind = [
  /^ {3}TablesInSelectQuery \(children 1\)$/,
  /^ {4}TablesInSelectQueryElement \(children 1\)$/,
  /^ {5}TableExpression \(children 1\)$/,
  new RegExp(`^ {6}TableIdentifier ${table}$`)
]

// Lambdas and casts are functions to the engine.
const ownFunctions = new Set(["lambda", "CAST", "_CAST"])

const isAllowed = (node: string, { functions, names }: Allowed): boolean => {
  if (/^ExpressionList(?: \(children \d+\))?$/.test(node)) return true
  // With an alias behind it, a literal ends otherwise.
  if (node.startsWith("Literal ")) return /^Literal (?:'.*'|NULL|\w+_[-+.\w]+)$/s.test(node)
  const [, kind, name = ""] = /^(Function|Identifier) (.*?)(?: \(children \d+\))?$/s.exec(node) ?? []
  return kind === "Function" ? functions.has(name) || ownFunctions.has(name) : kind === "Identifier" && names.has(name)
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
  const frame = [...lines.slice(0, before.length), ...lines.slice(-behind.length)]
  const around = [...before, ...behind].flatMap((pattern, index) =>
    pattern.test(frame[index] ?? "") ? [] : [frame[index] ?? "nothing"]
  )
  const nodes = lines.slice(before.length, -behind.length)
  const expressions = nodes.filter((line) => /^ {4}\S/.test(line)).length
  return [
    ...around,
    ...(expressions === written ? [] : [`${expressions} expressions in place of ${written}`]),
    ...nodes.map((line) => line.trimStart()).filter((node) => !isAllowed(node, allowed))
  ]
}
