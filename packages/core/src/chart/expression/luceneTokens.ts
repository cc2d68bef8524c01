import * as Result from "effect/Result"
import { type ExpressionIssue, issueAt } from "./Scope.ts"

/** What a term looks for. */
export type LuceneValue =
  /** A word. Between its parts there is a `*` each. */
  | { readonly _tag: "Word"; readonly parts: ReadonlyArray<string> }
  | { readonly _tag: "Phrase"; readonly text: string }
  | { readonly _tag: "Comparison"; readonly name: Comparison; readonly text: string }
  /** A bound that is absent is a `*`. */
  | { readonly _tag: "Range"; readonly least: Bound | undefined; readonly most: Bound | undefined }

export type Comparison = "greater" | "greaterOrEquals" | "less" | "lessOrEquals"

interface Bound {
  readonly name: Comparison
  readonly text: string
}

/** `field`: one before a group in brackets. */
export type LuceneToken = { readonly position: number } & (
  | { readonly kind: "(" | ")" | "and" | "or" | "not" | "end" }
  | { readonly kind: "field"; readonly field: string }
  | { readonly kind: "term"; readonly field: string | undefined; readonly value: LuceneValue }
)

interface Reading<A> {
  readonly value: A
  /** Behind the last character that was read. */
  readonly end: number
}

type Read<A> = Result.Result<Reading<A>, ExpressionIssue>

/** Reads up to a closing quote. A backslash makes the character after it an ordinary one. */
const readPhrase = (text: string, position: number): Read<string> => {
  let value = ""
  for (let at = position + 1; at < text.length; at += 1) {
    const letter = text[at] ?? ""
    if (letter === '"') return Result.succeed({ value, end: at + 1 })
    if (letter === "\\") at += 1
    value += text[at] ?? ""
  }
  return Result.fail(issueAt(position, 'the words that begin here have no end: add "'))
}

/** Reads up to a space, a bracket or a quote, and no further than the first one of `stop`. */
const readWord = (text: string, position: number, stop = ""): Reading<ReadonlyArray<string>> => {
  const parts = [""]
  let at = position
  const add = (letter: string) => parts.push(`${parts.pop() ?? ""}${letter}`)
  for (; at < text.length; at += 1) {
    const letter = text[at] ?? ""
    if (/[\s()"]/.test(letter) || stop.includes(letter)) break
    if (letter === "*") parts.push("")
    else if (letter === "\\" && at + 1 < text.length) {
      at += 1
      add(text[at] ?? "")
    } else add(letter)
  }
  return { value: parts, end: at }
}

/** Reads a value as it was written: a phrase without quotes, or a word with its stars. */
const readPlain = (text: string, position: number, stop = ""): Read<string> => {
  if (text[position] === '"') return readPhrase(text, position)
  const { end, value } = readWord(text, position, stop)
  return end === position
    ? Result.fail(issueAt(position, "a value is missing: write it straight after the sign before it"))
    : Result.succeed({ value: value.join("*"), end })
}

const spacesAt = (text: string, at: number): number => {
  let end = at
  while (/\s/.test(text[end] ?? "")) end += 1
  return end
}

const badRange = (position: number) =>
  Result.fail(issueAt(position, "this is no range: write [1 TO 10], {1 TO 10} or [1 TO *]"))

/** Reads `[1 TO 10]`; a brace is a bound that is not in the range. */
const readRange = (text: string, position: number): Read<LuceneValue> => {
  const least = readPlain(text, spacesAt(text, position + 1), "]}")
  if (Result.isFailure(least)) return badRange(position)
  const to = spacesAt(text, least.success.end)
  if (!/^TO\s/.test(text.slice(to, to + 3))) return badRange(position)
  const most = readPlain(text, spacesAt(text, to + 2), "]}")
  if (Result.isFailure(most)) return badRange(position)
  const end = spacesAt(text, most.success.end)
  const close = text[end] ?? ""
  if (close !== "]" && close !== "}") return badRange(position)
  const bound = (value: string, name: Comparison) => (value === "*" ? undefined : { name, text: value })
  return Result.succeed({
    value: {
      _tag: "Range",
      least: bound(least.success.value, text[position] === "[" ? "greaterOrEquals" : "greater"),
      most: bound(most.success.value, close === "]" ? "lessOrEquals" : "less")
    },
    end: end + 1
  })
}

const comparisons = [
  [">=", "greaterOrEquals"],
  ["<=", "lessOrEquals"],
  [">", "greater"],
  ["<", "less"]
] as const

/** Reads what stands behind `field:`. */
const readValue = (text: string, position: number): Read<LuceneValue> => {
  const letter = text[position] ?? ""
  if (letter === "[" || letter === "{") return readRange(text, position)
  const comparison = comparisons.find(([sign]) => text.startsWith(sign, position))
  if (comparison !== undefined) {
    const [sign, name] = comparison
    return Result.map(readPlain(text, position + sign.length), ({ end, value }) => ({
      value: { _tag: "Comparison", name, text: value },
      end
    }))
  }
  if (letter === '"')
    return Result.map(readPhrase(text, position), ({ end, value }) => ({ value: { _tag: "Phrase", text: value }, end }))
  const { end, value } = readWord(text, position)
  return end === position
    ? Result.fail(issueAt(position, "a value is missing: write it straight after the colon, or * for any"))
    : Result.succeed({ value: { _tag: "Word", parts: value }, end })
}

const words = new Map([
  ["AND", "and"],
  ["&&", "and"],
  ["OR", "or"],
  ["||", "or"],
  ["NOT", "not"]
] as const)

const readTerm = (text: string, position: number): Read<LuceneToken> => {
  if (text[position] === '"')
    return Result.map(readPhrase(text, position), ({ end, value }) => ({
      value: { kind: "term", position, field: undefined, value: { _tag: "Phrase", text: value } },
      end
    }))
  const name = readWord(text, position, ":")
  if (text[name.end] === ":" && name.end > position) {
    const field = name.value.join("*")
    const at = name.end + 1
    if (text[at] === "(") return Result.succeed({ value: { kind: "field", position, field }, end: at })
    return Result.map(readValue(text, at), ({ end, value }) => ({
      value: { kind: "term", position, field, value },
      end
    }))
  }
  const { end, value } = readWord(text, position)
  const written = text.slice(position, end)
  const word = Array.from(words).find(([word]) => word === written)?.[1]
  return Result.succeed({
    value:
      word === undefined
        ? { kind: "term", position, field: undefined, value: { _tag: "Word", parts: value } }
        : { kind: word, position },
    end
  })
}

const readToken = (text: string, position: number): Read<LuceneToken> => {
  const letter = text[position] ?? ""
  if (letter === "(" || letter === ")") return Result.succeed({ value: { kind: letter, position }, end: position + 1 })
  const isSign = /[^\s)]/.test(text[position + 1] ?? "")
  if (isSign && (letter === "-" || letter === "!"))
    return Result.succeed({ value: { kind: "not", position }, end: position + 1 })
  // A `+` says that the term is needed. Every term is.
  return readTerm(text, isSign && letter === "+" ? position + 1 : position)
}

/** The terms, operators and brackets of a text in the Lucene syntax, and an `end` behind them. */
export const luceneTokens = (text: string): Result.Result<ReadonlyArray<LuceneToken>, ExpressionIssue> => {
  const tokens: Array<LuceneToken> = []
  for (let at = 0; ;) {
    const position = spacesAt(text, at)
    if (position >= text.length) {
      tokens.push({ kind: "end", position: text.length })
      return Result.succeed(tokens)
    }
    const read = readToken(text, position)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    tokens.push(read.success.value)
    at = read.success.end
  }
}
