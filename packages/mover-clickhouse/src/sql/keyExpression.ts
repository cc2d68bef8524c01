import { quoteIdentifier, quoteString } from "@headgate/clickhouse"
import * as Result from "effect/Result"

// Functions of sorting and partition keys that only calculate. A function may also read a file or a URL, or sleep, and a
// caller's expression runs with the warehouse's password: what is not named here is refused.
const functions = new Set(
  `tuple toYear toQuarter toMonth toDayOfYear toDayOfMonth toDayOfWeek toHour toMinute toSecond toMonday toYYYYMM
  toYYYYMMDD toYYYYMMDDhhmmss toStartOfYear toStartOfQuarter toStartOfMonth toStartOfWeek toStartOfDay toStartOfHour
  toStartOfMinute toStartOfSecond toStartOfFiveMinutes toStartOfTenMinutes toStartOfFifteenMinutes toStartOfInterval
  toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay toIntervalWeek toIntervalMonth toIntervalQuarter
  toIntervalYear toDate toDate32 toDateTime toDateTime64 toUnixTimestamp fromUnixTimestamp toRelativeDayNum
  toRelativeHourNum toInt8 toInt16 toInt32 toInt64 toUInt8 toUInt16 toUInt32 toUInt64 toString intDiv modulo positiveModulo
  plus minus multiply divide negate abs bitAnd bitShiftRight least greatest cityHash64 sipHash64 xxHash32 xxHash64
  farmHash64 metroHash64 murmurHash2_64 murmurHash3_64 intHash32 intHash64 halfMD5 lower upper lowerUTF8 upperUTF8 length
  empty notEmpty substring left right concat trimBoth domain assumeNotNull ifNull coalesce if`.split(/\s+/)
)

const token =
  /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|`(?<quoted>(?:[^`\\]|\\[`\\])+)`|"(?<doubleQuoted>(?:[^"\\]|\\["\\])+)"|'(?<text>(?:[^'\\]|\\['\\])*)'|(?<sign>[-+*/%(),]))/y

interface Token {
  readonly kind: "number" | "name" | "quoted" | "text" | "sign"
  readonly value: string
}

const unescape = (text: string): string => text.replace(/\\(.)/gs, "$1")

const tokensOf = (expression: string): ReadonlyArray<Token> | undefined => {
  const tokens: Array<Token> = []
  const end = expression.trimEnd().length
  token.lastIndex = 0
  for (let at = 0; at < end; at = token.lastIndex) {
    const { doubleQuoted, name, number, quoted = doubleQuoted, sign, text } = token.exec(expression)?.groups ?? {}
    if (number !== undefined) tokens.push({ kind: "number", value: number })
    else if (name !== undefined) tokens.push({ kind: "name", value: name })
    else if (quoted !== undefined) tokens.push({ kind: "quoted", value: unescape(quoted) })
    else if (text !== undefined) tokens.push({ kind: "text", value: unescape(text) })
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign })
    else return undefined
  }
  return tokens
}

// An expression nests no deeper: the parser is recursive.
const deepest = 20

/**
 * Reads a sorting, primary or partition key, and writes it anew: columns of the table, numbers, texts, arithmetic, tuples and
 * functions that only calculate. Nothing that a caller wrote reaches a statement in any other way.
 */
export const keyExpression = (expression: string, columns: ReadonlySet<string>): Result.Result<string, string> => {
  if (expression.length > 1000) return Result.fail("Expected at most 1000 characters")
  const tokens = tokensOf(expression)
  if (tokens === undefined) return Result.fail("Expected columns, numbers, texts, + - * / % and functions")
  let at = 0
  let problem: string | undefined
  const fail = (message: string): string => {
    problem ??= message
    at = tokens.length
    return ""
  }
  const takes = (sign: string): boolean => {
    const found = tokens[at]?.kind === "sign" && tokens[at]?.value === sign
    if (found) at += 1
    return found
  }
  const list = (depth: number): string => {
    if (takes(")")) return ""
    const parts = [sum(depth)]
    while (takes(",")) parts.push(sum(depth))
    return takes(")") ? parts.join(", ") : fail("Expected a closing bracket")
  }
  const column = (name: string): string =>
    columns.has(name) ? quoteIdentifier(name) : fail(`Expected a column of the table, got ${name}`)
  const term = (depth: number): string => {
    if (depth > deepest) return fail(`Expected at most ${deepest} nested brackets`)
    // Two signs in a row would begin a comment.
    if (takes("-")) return `negate(${term(depth + 1)})`
    if (takes("(")) return `(${list(depth + 1)})`
    const next = tokens[at]
    at += 1
    if (next === undefined || next.kind === "sign") return fail("Expected a column, a number, a text or a function")
    if (next.kind === "number") return next.value
    if (next.kind === "text") return quoteString(next.value)
    if (next.kind === "quoted" || !takes("(")) return column(next.value)
    return functions.has(next.value)
      ? `${next.value}(${list(depth + 1)})`
      : fail(`${next.value} is no function for keys`)
  }
  const sum = (depth: number): string => {
    let text = term(depth)
    for (let operator = tokens[at]; operator?.kind === "sign"; operator = tokens[at]) {
      if (!"+-*/%".includes(operator.value)) break
      at += 1
      text = `${text} ${operator.value} ${term(depth)}`
    }
    return text
  }
  const written = sum(0)
  if (problem === undefined && at < tokens.length) fail("Expected one expression")
  return problem === undefined ? Result.succeed(written) : Result.fail(problem)
}
