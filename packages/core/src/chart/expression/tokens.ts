import * as Result from "effect/Result"
import { type ExpressionIssue, issueAt } from "./Scope.ts"

/** A part of a text. `value` is without quotes and escapes. */
export interface Token {
  readonly kind: "number" | "name" | "quoted" | "text" | "sign" | "end"
  readonly value: string
  /** Of its first character. */
  readonly position: number
  /** Behind its last character. */
  readonly end: number
}

const space = /\s*/y
const name = /[A-Za-z_]\w*/y
const decimal = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
const digits = /\d+/y
const sign = /->|::|\|\||!=|<>|<=|>=|==|[-+*/%()[\],.=<>]/y
const comment = /--|\/\*|\/\/|#/y

// Longer ones have no use, and take long to read.
const longestNumber = 100

const unexpected = new Map([
  [";", "; is not taken: write one expression"],
  ["{", "parameters in { } are not taken: write the value"],
  ["}", "parameters in { } are not taken: write the value"],
  ["$", "$ is not taken: write texts in single quotes"],
  ["?", "a ? b : c is not taken: write if(a, b, c)"],
  [":", "a : is not taken: a cast has two of them"],
  ["&", "& is not taken: write AND, or bitAnd(a, b)"],
  ["|", "| is not taken: write OR, or bitOr(a, b)"],
  ["!", "! is not taken: write NOT"],
  ["^", "^ is not taken: write pow(a, b)"],
  ["@", "@ is not taken: write the value"],
  ["\\", "a backslash is taken only in quotes"]
])

const match = (pattern: RegExp, source: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}

const escapes = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["a", "\u0007"],
  ["e", "\u001b"],
  ["0", "\0"]
])
// An escape of one of these is the character. Before every other one, the engine keeps the backslash: "\%" of a pattern for LIKE.
const escaped = "\\'\"`/="

const quotes = new Map<string, { readonly kind: "text" | "quoted"; readonly word: string }>([
  ["'", { kind: "text", word: "text" }],
  ['"', { kind: "quoted", word: "name" }],
  ["`", { kind: "quoted", word: "name" }]
])

/** The text or name between quotes that begins at a position. */
const readQuoted = (
  source: string,
  position: number,
  quote: string,
  { kind, word }: { readonly kind: "text" | "quoted"; readonly word: string }
): Result.Result<Token, ExpressionIssue> => {
  let value = ""
  for (let at = position + 1; at < source.length; at += 1) {
    const letter = source[at] ?? ""
    const next = source[at + 1] ?? ""
    if (letter === quote && next !== quote) {
      return kind === "quoted" && value === ""
        ? Result.fail(issueAt(position, "a name between quotes is empty: write the name of a column"))
        : Result.succeed({ kind, value, position, end: at + 1 })
    }
    if (letter === quote) at += 1
    if (letter !== "\\") value += letter
    else {
      if (next === "x" || next === "N")
        return Result.fail(issueAt(at, `the escape \\${next} is not taken: write the character itself`))
      value += escapes.get(next) ?? (escaped.includes(next) ? next : `\\${next}`)
      at += 1
    }
  }
  return Result.fail(issueAt(position, `the ${word} that begins here has no end: add ${quote}`))
}

/** A number that begins at a position. After a point it is the index of an element, which has no point. */
const readNumber = (source: string, position: number, isIndex: boolean): Result.Result<Token, ExpressionIssue> => {
  const found = match(isIndex ? digits : decimal, source, position) ?? ""
  const end = position + found.length
  if (/[\w$]/.test(source[end] ?? "")) {
    const isHex = /^0[xXbB]/.test(source.slice(position, position + 2))
    return Result.fail(
      issueAt(
        position,
        isHex
          ? "numbers with 0x and 0b are not taken: write it in digits"
          : `a number goes straight on as a name: add a space or an operator after ${found.slice(0, 20)}`
      )
    )
  }
  return found.length > longestNumber
    ? Result.fail(issueAt(position, `the number has more than ${longestNumber} characters: write a shorter one`))
    : Result.succeed({ kind: "number", value: found.startsWith(".") ? `0${found}` : found, position, end })
}

const describe = (letter: string): string =>
  /[\p{L}\p{N}]/u.test(letter)
    ? `"${letter}" is not taken here: write names with other characters than A to Z, digits and _ in double quotes`
    : /[\u2018-\u201f]/.test(letter)
      ? `the quote ${letter} is not taken: write ' around texts and " around names`
      : "this character is not taken here: remove it, or write it in quotes"

const readOther = (source: string, position: number): Result.Result<Token, ExpressionIssue> => {
  if (match(comment, source, position) !== undefined)
    return Result.fail(issueAt(position, "comments are not taken: remove it, or add a space between two signs"))
  const value = match(sign, source, position)
  if (value !== undefined) return Result.succeed({ kind: "sign", value, position, end: position + value.length })
  const letter = String.fromCodePoint(source.codePointAt(position) ?? 0)
  return Result.fail(issueAt(position, unexpected.get(letter) ?? describe(letter)))
}

/** Whether a point after a token takes an element of a value, and does not begin a number. */
const endsValue = ({ kind, value }: Token, isIndex: boolean): boolean =>
  kind === "name" || kind === "quoted" || (kind === "number" && isIndex) || value === ")" || value === "]"

const readToken = (
  source: string,
  position: number,
  last: Token | undefined,
  isAfterPoint: boolean,
  isAfterIndex: boolean
): Result.Result<Token, ExpressionIssue> => {
  const letter = source[position] ?? ""
  const quote = quotes.get(letter)
  if (quote !== undefined) return readQuoted(source, position, letter, quote)
  const word = match(name, source, position)
  if (word !== undefined) return Result.succeed({ kind: "name", value: word, position, end: position + word.length })
  const isPoint = letter === "." && last !== undefined && endsValue(last, isAfterIndex)
  return !isPoint && match(decimal, source, position) !== undefined
    ? readNumber(source, position, isAfterPoint)
    : readOther(source, position)
}

/** The parts of a text, and an `end` behind them. */
export const tokensOf = (source: string): Result.Result<ReadonlyArray<Token>, ExpressionIssue> => {
  const tokens: Array<Token> = []
  let isAfterPoint = false
  let isAfterIndex = false
  for (let at = 0; ;) {
    const position = at + (match(space, source, at)?.length ?? 0)
    if (position >= source.length) {
      tokens.push({ kind: "end", value: "", position: source.length, end: source.length })
      return Result.succeed(tokens)
    }
    const read = readToken(source, position, tokens.at(-1), isAfterPoint, isAfterIndex)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    tokens.push(read.success)
    isAfterIndex = isAfterPoint && read.success.kind === "number"
    isAfterPoint = read.success.kind === "sign" && read.success.value === "."
    at = read.success.end
  }
}
