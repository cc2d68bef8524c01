import * as Result from "effect/Result"
import type { FieldIssue } from "../../error/FieldIssue.ts"
import { call, type Expression } from "../expression/Expression.ts"
import { parseLucene } from "../expression/parseLucene.ts"
import { parseSql, parseSqlList } from "../expression/parseSql.ts"
import type { Scope } from "../expression/Scope.ts"
import type { ColumnType } from "../query/ColumnType.ts"

/** What was planned, or why it was refused: the field of the request, and the reason. */
export type Planned<A> = Result.Result<A, FieldIssue>

/** Refuses a field. */
export const refuse = (path: string, message: string): Planned<never> => Result.fail({ path, message })

/** What the texts of a chart may name. */
export interface TextScope {
  readonly columns: ReadonlyMap<string, ColumnType>
  /** The expressions that a word of Lucene without a field is looked for in. */
  readonly implicit: ReadonlyArray<string>
}

/** An item of a list of expressions, with its text. */
export interface ListItem {
  readonly expression: Expression
  readonly text: string
  readonly isDescending: boolean
}

const at =
  (path: string) =>
  ({ message }: { readonly message: string }): FieldIssue => ({ path, message })

/** Reads an expression of SQL. */
export const readExpression = (
  text: string,
  path: string,
  { columns }: Pick<TextScope, "columns">,
  aggregates: Scope["aggregates"] = "refused"
): Planned<Expression> => Result.mapError(parseSql(text, { columns, aggregates }), at(path))

/** Reads a list of expressions of SQL; an empty text is an empty list. */
export const readList = (
  text: string,
  path: string,
  { columns }: Pick<TextScope, "columns">,
  aggregates: Scope["aggregates"] = "refused"
): Planned<ReadonlyArray<ListItem>> =>
  text.trim() === "" ? Result.succeed([]) : Result.mapError(parseSqlList(text, { columns, aggregates }), at(path))

/** Reads a condition; an empty text is none. */
export const readCondition = (
  text: string,
  language: string | null | undefined,
  path: string,
  scope: TextScope
): Planned<Expression | undefined> => {
  if (text.trim() === "") return Result.succeed(undefined)
  if (language === "promql") return refuse(path, "PromQL is not queried")
  return language === "sql"
    ? readExpression(text, path, scope)
    : Result.mapError(parseLucene(text, { ...scope, aggregates: "refused" }), at(path))
}

const joined =
  (name: "and" | "or") =>
  (conditions: ReadonlyArray<Expression | undefined>): Expression | undefined => {
    const present = conditions.filter((one) => one !== undefined)
    return present.length > 1 ? call(name, ...present) : present[0]
  }

/** The condition that all of some hold. */
export const allOf = joined("and")

/** The condition that one of some holds. */
export const anyOf = joined("or")
