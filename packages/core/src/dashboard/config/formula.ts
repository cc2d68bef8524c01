// Far deeper than any formula, and far from a stack overflow.
const maxDepth = 50

const tokens = /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+))|(?<word>[A-Za-z]+)|(?<symbol>[-+*/()]))/y

interface Token {
  readonly kind: "number" | "series" | "operator" | "(" | ")"
  readonly text: string
}

const wordIssue = (word: string): string | undefined => {
  if (/^[a-z]/.test(word)) return `Unexpected "${word}" — series references are uppercase letters (A, B, C, ...)`
  return word.length > 1
    ? `Unexpected "${word}" — series references are single letters (A, B, C, ...) and functions are not supported`
    : undefined
}

/** The tokens of an expression, or what is wrong with the first bad one. */
const tokenize = (expression: string): ReadonlyArray<Token> | string => {
  const found: Array<Token> = []
  const end = expression.trimEnd().length
  let position = 0
  while (position < end) {
    tokens.lastIndex = position
    const groups = tokens.exec(expression)?.groups
    if (groups === undefined) return `Unexpected character "${expression.slice(position).trimStart().charAt(0)}"`
    position = tokens.lastIndex
    const { number, symbol, word } = groups
    if (number !== undefined) {
      if (!Number.isFinite(Number(number))) return `Invalid number "${number}"`
      found.push({ kind: "number", text: number })
    } else if (word !== undefined) {
      const issue = wordIssue(word)
      if (issue !== undefined) return issue
      found.push({ kind: "series", text: word })
    } else if (symbol === "(" || symbol === ")") found.push({ kind: symbol, text: symbol })
    else if (symbol !== undefined) found.push({ kind: "operator", text: symbol })
  }
  return found
}

const describe = ({ kind, text }: Token): string => {
  if (kind === "(") return "opening parenthesis"
  if (kind === ")") return "closing parenthesis"
  return kind === "series" ? `series reference "${text}"` : `${kind} "${text}"`
}

/**
 * Checks the order of the tokens. An expression is operands with operators between them; an operand is a number, a series
 * or an expression in parentheses, with any number of `-` before it.
 */
const syntaxIssue = (found: ReadonlyArray<Token>): string | undefined => {
  let depth = 0
  let minuses = 0
  let expectsOperand = true
  for (const token of found) {
    const { kind, text } = token
    if (expectsOperand) {
      if (kind === ")" || (kind === "operator" && text !== "-")) return `Unexpected ${describe(token)}`
      if (kind === "(") depth++
      else if (kind === "operator") minuses++
      else expectsOperand = false
      if (depth + minuses > maxDepth) return `Expression is nested too deeply (max ${maxDepth} levels)`
    } else if (kind === "operator") {
      expectsOperand = true
      minuses = 0
    } else if (kind === ")") {
      if (depth === 0) return "Unmatched closing parenthesis"
      depth--
    } else return depth > 0 ? "Missing closing parenthesis" : `Unexpected ${describe(token)}`
  }
  if (expectsOperand) return "Unexpected end of expression"
  return depth > 0 ? "Missing closing parenthesis" : undefined
}

const letter = (index: number): string => String.fromCodePoint(65 + index)

/**
 * What is wrong with the expression of a formula, or `undefined`. Formulas compute a series from those of a chart, which the
 * letters `A` to `T` name: numbers, letters, `+ - * /` and parentheses. Charts compute what {@link parseFormula} reads.
 *
 * `seriesCount` is the number of series of the chart, at least 1.
 */
export const formulaIssue = (expression: string, seriesCount: number): string | undefined => {
  if (expression.trim() === "") return "Expression is empty"
  const found = tokenize(expression)
  if (typeof found === "string") return found
  const issue = syntaxIssue(found)
  if (issue !== undefined) return issue
  const series = new Set(found.filter(({ kind }) => kind === "series").map(({ text }) => text))
  if (series.size === 0) return "Expression must reference at least one series (A, B, C, ...)"
  const last = letter(seriesCount - 1)
  const unknown = [...series].filter((name) => name > last)
  return unknown.length === 0
    ? undefined
    : unknown.map((name) => `Unknown series "${name}" — this chart only has series A through ${last}`).join("; ")
}

/** A formula as it is computed. */
export type FormulaTree =
  | { readonly _tag: "Number"; readonly text: string }
  /** A series, counted from 0. */
  | { readonly _tag: "Series"; readonly index: number }
  | { readonly _tag: "Negation"; readonly of: FormulaTree }
  | {
      readonly _tag: "Operation"
      readonly operator: string
      readonly left: FormulaTree
      readonly right: FormulaTree
    }

const isHigh = (token: Token | undefined): boolean => token?.text === "*" || token?.text === "/"
const isLow = (token: Token | undefined): boolean => token?.text === "+" || token?.text === "-"

/** Reads a formula that {@link formulaIssue} finds nothing wrong with. */
export const parseFormula = (expression: string): FormulaTree => {
  const found = tokenize(expression)
  const rest = typeof found === "string" ? [] : [...found]

  const operand = (): FormulaTree => {
    const token = rest.shift()
    if (token?.kind === "operator") return { _tag: "Negation", of: operand() }
    if (token?.kind === "series") return { _tag: "Series", index: (token.text.codePointAt(0) ?? 65) - 65 }
    if (token?.kind !== "(") return { _tag: "Number", text: token?.text ?? "0" }
    const inside = sum()
    rest.shift()
    return inside
  }
  // Operators of one kind are computed from the left.
  const chain = (isOperator: (token: Token | undefined) => boolean, next: () => FormulaTree) => (): FormulaTree => {
    let left = next()
    while (isOperator(rest[0])) {
      const operator = rest.shift()?.text ?? ""
      left = { _tag: "Operation", operator, left, right: next() }
    }
    return left
  }
  const product = chain(isHigh, operand)
  const sum = chain(isLow, product)
  return sum()
}
