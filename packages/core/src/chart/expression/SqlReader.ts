import { nearestField, shortName } from "../../error/knownFields.ts"
import type { Expression } from "./Expression.ts"
import { type ExpressionIssue, issueAt, type Scope } from "./Scope.ts"
import type { Token } from "./tokens.ts"

/** Bounds of one text. The parser and all that reads its trees is recursive. */
export const bounds = { characters: 10_000, nodes: 500, depth: 40 } as const

/** Stands where an expression was refused. It is never part of a result. */
export const refused: Expression = { _tag: "Literal", value: null }

const isSign = ({ kind, value }: Token, sign: string): boolean => kind === "sign" && value === sign

const end: Token = { kind: "end", value: "", position: 0, end: 0 }

/** The tokens of a text, what has been read of it, and the first issue. After an issue it stands at the end, so that all reading ends. */
export class SqlReader {
  issue: ExpressionIssue | undefined
  hasAggregate = false
  isInAggregate = false
  isInLambda = false
  #at = 0
  #nodes = 0
  #nesting = 0
  readonly #measures = new Map<Expression, { readonly depth: number; readonly size: number }>()
  readonly #parameters: Array<string> = []
  readonly #tokens: ReadonlyArray<Token>
  readonly scope: Scope

  constructor(tokens: ReadonlyArray<Token>, scope: Scope) {
    this.#tokens = tokens
    this.scope = scope
  }

  get next(): Token {
    return this.ahead(0)
  }

  ahead(tokens: number): Token {
    return this.#tokens[this.#at + tokens] ?? this.#tokens.at(-1) ?? end
  }

  /** The end of the token before. */
  get readTo(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0
  }

  take(): Token {
    const { next } = this
    this.#at += 1
    return next
  }

  fail(position: number, message: string): Expression {
    this.issue ??= issueAt(position, message)
    this.#at = this.#tokens.length
    return refused
  }

  /** Says what was found in place of something. */
  expected(what: string): Expression {
    const { kind, position, value } = this.next
    const found =
      kind === "end"
        ? "the end"
        : kind === "text"
          ? "a text"
          : kind === "quoted"
            ? `"${shortName(value)}"`
            : shortName(value)
    return this.fail(position, `expected ${what}, got ${found}`)
  }

  isSign(sign: string, ahead = 0): boolean {
    return isSign(this.ahead(ahead), sign)
  }

  takesSign(sign: string): boolean {
    const isNext = this.isSign(sign)
    if (isNext) this.#at += 1
    return isNext
  }

  isWord(word: string, ahead = 0): boolean {
    const { kind, value } = this.ahead(ahead)
    return kind === "name" && value.length === word.length && value.toLowerCase() === word
  }

  takesWord(word: string): boolean {
    const isNext = this.isWord(word)
    if (isNext) this.#at += 1
    return isNext
  }

  needsSign(sign: string, why = ""): void {
    if (!this.takesSign(sign)) this.expected(`${sign}${why}`)
  }

  needsWord(word: string): void {
    if (!this.takesWord(word)) this.expected(word.toUpperCase())
  }

  /** Reads what stands in brackets or behind a prefix, which may nest no deeper than the parser allows. */
  nested<A>(read: () => A, otherwise: A): A {
    if (this.#nesting >= bounds.depth) {
      this.fail(this.next.position, `the expression nests more than ${bounds.depth} deep: write a simpler one`)
      return otherwise
    }
    this.#nesting += 1
    const result = read()
    this.#nesting -= 1
    return result
  }

  /** Counts a part of the tree. A part that is used twice, as that before `BETWEEN`, counts twice. */
  node(expression: Expression, children: ReadonlyArray<Expression>): Expression {
    if (this.issue !== undefined) return refused
    this.#nodes += 1
    const measures = children.map((child) => this.#measures.get(child) ?? { depth: 0, size: 0 })
    const depth = 1 + Math.max(0, ...measures.map((child) => child.depth))
    const size = measures.reduce((sum, child) => sum + child.size, 1)
    if (Math.max(this.#nodes, size) > bounds.nodes)
      return this.fail(this.readTo, `the expression has more than ${bounds.nodes} parts: write a shorter one`)
    if (depth > bounds.depth)
      return this.fail(this.readTo, `the expression nests more than ${bounds.depth} deep: write a simpler one`)
    this.#measures.set(expression, { depth, size })
    return expression
  }

  call(name: string, ...args: ReadonlyArray<Expression>): Expression {
    return this.node({ _tag: "Call", name, arguments: args }, args)
  }

  /** Reads what may use the parameters of a lambda as columns. */
  withParameters(names: ReadonlyArray<string>, read: () => Expression): Expression {
    this.#parameters.push(...names)
    const wasInLambda = this.isInLambda
    this.isInLambda = true
    const result = read()
    this.isInLambda = wasInLambda
    this.#parameters.length -= names.length
    return result
  }

  isParameter(name: string): boolean {
    return this.#parameters.includes(name)
  }

  /** A column by its name, where one may stand. */
  column(name: string, position: number): Expression {
    if (this.isParameter(name)) return this.node({ _tag: "Column", name }, [])
    if (!this.scope.columns.has(name)) return this.fail(position, this.unknownColumn(name))
    if (this.scope.aggregates === "required" && !this.isInAggregate)
      return this.fail(
        position,
        `the column "${shortName(name)}" stands in no aggregate: write one such as sum(x) or max(x)`
      )
    return this.node({ _tag: "Column", name }, [])
  }

  /** Says that there is no such column, and which one was probably meant. */
  unknownColumn(name: string): string {
    const near = nearestField(name, Array.from(this.scope.columns.keys()))
    const advice =
      near === undefined ? "write a column of the table, and texts in single quotes" : `did you mean "${near}"?`
    return `there is no column "${shortName(name)}": ${advice}`
  }
}
