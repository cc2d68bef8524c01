import * as Result from "effect/Result"
import type { ColumnType } from "../query/ColumnType.ts"
import { call, column, type Expression, literal } from "./Expression.ts"
import {
  bareCondition,
  type Condition,
  fieldCondition,
  fieldOf,
  isString,
  unknownField,
  wordsOf
} from "./luceneTerm.ts"
import { luceneTokens, type LuceneToken, type LuceneValue } from "./luceneTokens.ts"
import { type ExpressionIssue, issueAt, type Scope } from "./Scope.ts"

/** Where a text in the Lucene syntax stands. */
export interface LuceneScope extends Scope {
  /** The columns that words without a field are searched in. */
  readonly implicit: ReadonlyArray<string>
}

const bounds = { characters: 2000, terms: 200, depth: 40 } as const

/** The text that words without a field are searched in. */
const implicitText = ({ columns, implicit }: LuceneScope): Expression | undefined => {
  const texts = implicit.flatMap((name) => {
    const type = columns.get(name)
    if (type === undefined) return []
    const text = isString(type) ? column(name) : call("toString", column(name))
    return [type.isNullable ? call("ifNull", text, literal("")) : text]
  })
  return texts.length < 2 ? texts[0] : call("concatWithSeparator", literal(";"), ...texts)
}

const opposites = new Map([
  ["greater", "lessOrEquals"],
  ["greaterOrEquals", "less"],
  ["less", "greaterOrEquals"],
  ["lessOrEquals", "greater"]
])

/** The negation of a term. That of a comparison is the opposite one, so that NaN is in neither. */
const negated = (condition: Expression): Expression => {
  const opposite = condition._tag === "Call" ? opposites.get(condition.name) : undefined
  return condition._tag === "Call" && opposite !== undefined
    ? call(opposite, ...condition.arguments)
    : call("not", condition)
}

const joined = (name: "and" | "or", conditions: ReadonlyArray<Expression>): Expression | undefined =>
  conditions.length < 2 ? conditions[0] : call(name, ...conditions)

class LuceneReader {
  issue: ExpressionIssue | undefined
  #at = 0
  #terms = 0
  #nesting = 0
  readonly #tokens: ReadonlyArray<LuceneToken>
  readonly #columns: ReadonlyMap<string, ColumnType>
  readonly #implicit: Expression | undefined

  constructor(tokens: ReadonlyArray<LuceneToken>, scope: LuceneScope) {
    this.#tokens = tokens
    this.#columns = scope.columns
    this.#implicit = implicitText(scope)
  }

  get #next(): LuceneToken {
    return this.#tokens[this.#at] ?? { kind: "end", position: 0 }
  }

  #fail(position: number, message: string): undefined {
    this.issue ??= issueAt(position, message)
    this.#at = this.#tokens.length
  }

  #takes(kind: LuceneToken["kind"]): boolean {
    const isNext = this.#next.kind === kind
    if (isNext) this.#at += 1
    return isNext
  }

  /** Terms with `OR` between groups of terms. `field`: that of the group which they are in. */
  readAny(field?: string): Expression | undefined {
    const groups: Array<Expression | undefined> = []
    do groups.push(this.#readAll(field))
    while (this.#takes("or"))
    return joined(
      "or",
      groups.filter((group) => group !== undefined)
    )
  }

  /** Terms of which each must hold. */
  #readAll(field: string | undefined): Expression | undefined {
    const terms: Array<Expression> = []
    do {
      const term = this.#readTerm(field)
      if (term === undefined) return undefined
      terms.push(term)
      this.#takes("and")
    } while (!["or", ")", "end"].includes(this.#next.kind) || this.#isDangling())
    return joined("and", terms)
  }

  /** Whether the token before is an `AND`, so that a term must follow. */
  #isDangling(): boolean {
    return this.#tokens[this.#at - 1]?.kind === "and"
  }

  #nested(position: number, read: () => Expression | undefined): Expression | undefined {
    if (this.#nesting >= bounds.depth)
      return this.#fail(position, `the text nests more than ${bounds.depth} deep: write a simpler one`)
    this.#nesting += 1
    const result = read()
    this.#nesting -= 1
    return result
  }

  #readTerm(field: string | undefined): Expression | undefined {
    const token = this.#next
    const { position } = token
    this.#at += 1
    switch (token.kind) {
      case "not": {
        const term = this.#nested(position, () => this.#readTerm(field))
        return term === undefined ? undefined : negated(term)
      }
      case "(":
        return this.#readGroup(position, field)
      case "field":
        this.#at += 1
        return this.#readGroup(position, token.field)
      case "term":
        return this.#condition(position, token.field ?? field, token.value)
      default:
        return this.#fail(
          position,
          `expected a word, got ${token.kind === "end" ? "the end" : token.kind.toUpperCase()}: write what to search for, and such signs in double quotes`
        )
    }
  }

  #readGroup(position: number, field: string | undefined): Expression | undefined {
    const group = this.#nested(position, () => this.readAny(field))
    if (this.issue === undefined && !this.#takes(")"))
      return this.#fail(position, "the group that begins here has no end: add )")
    return group
  }

  #condition(position: number, name: string | undefined, value: LuceneValue): Expression | undefined {
    const words =
      value._tag === "Phrase" || value._tag === "Word"
        ? value._tag === "Word"
          ? value.parts.join(" ")
          : value.text
        : ""
    this.#terms += name === undefined ? Math.max(1, wordsOf(words).length) : 1
    if (this.#terms > bounds.terms)
      return this.#fail(position, `the text has more than ${bounds.terms} words: write fewer`)
    if (name === undefined)
      return this.#implicit === undefined
        ? this.#fail(
            position,
            "Can not search bare text without an implicit column set: write column:word, or set the source's implicitColumnExpression"
          )
        : bareCondition(value, this.#implicit)
    const field = fieldOf(name, this.#columns)
    if (field === undefined) return this.#fail(position, unknownField(name, this.#columns))
    return this.#checked(position, fieldCondition(field, value))
  }

  #checked(position: number, found: Condition): Expression | undefined {
    return "problem" in found ? this.#fail(position, found.problem) : found.condition
  }

  /** Refuses what stands behind the text. */
  checkEnd(): void {
    if (this.#next.kind !== "end")
      this.#fail(this.#next.position, "this ) closes nothing: remove it, or write it in double quotes")
  }
}

/**
 * Reads a condition in the Lucene syntax: words, phrases, wildcards, `field:value`, ranges, comparisons, `NOT`, `AND`, `OR` and groups. It
 * becomes the same kind of tree as SQL. `undefined` for one without terms.
 *
 * @example
 * ```ts
 * import { columnTypeOf, parseLucene } from "@headgate/core/adapter"
 * import * as Result from "effect/Result"
 *
 * const columns = new Map([["Body", columnTypeOf("String")]])
 * const read = parseLucene("timeout -Severity:info", { columns, aggregates: "refused", implicit: ["Body"] })
 * if (Result.isFailure(read)) console.log(read.failure.message) // character 10: there is no column "Severity": ...
 * ```
 */
export const parseLucene = (
  text: string,
  scope: LuceneScope
): Result.Result<Expression | undefined, ExpressionIssue> => {
  if (text.trim() === "") return Result.succeed(undefined)
  if (text.length > bounds.characters)
    return Result.fail(
      issueAt(bounds.characters, `the text has more than ${bounds.characters} characters: write a shorter one`)
    )
  return Result.flatMap(luceneTokens(text), (tokens) => {
    const reader = new LuceneReader(tokens, scope)
    const condition = reader.readAny()
    if (reader.issue === undefined) reader.checkEnd()
    return reader.issue === undefined ? Result.succeed(condition) : Result.fail(reader.issue)
  })
}
