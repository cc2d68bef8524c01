import { writeExpression } from "@headgate/clickhouse"
import { type ColumnType, type Expression, functionOf, parseSql } from "@headgate/core/adapter"
import * as Result from "effect/Result"

const longest = 1000
const deepest = 20

const control = /\p{Cc}/u

/** What keeps a tree from being a key: keys hold only columns, numbers, texts and functions that always calculate the same. */
const problemOf = (expression: Expression, depth: number): string | undefined => {
  if (depth > deepest) return `Expected at most ${deepest} nested brackets`
  switch (expression._tag) {
    case "Column":
      return undefined
    case "Literal": {
      const { value } = expression
      if (value === null || typeof value === "boolean")
        return "Expected columns, numbers, texts, + - * / % and functions"
      return typeof value === "string" && control.test(value) ? "Expected texts without control characters" : undefined
    }
    case "Call": {
      if (functionOf(expression.name)?.isKey !== true) return `${expression.name} is no function for keys`
      for (const argument of expression.arguments) {
        const problem = problemOf(argument, depth + 1)
        if (problem !== undefined) return problem
      }
      return undefined
    }
    default:
      return "Expected columns, numbers, texts, + - * / % and functions"
  }
}

const anyType: ColumnType = { text: "", kind: "other", isNullable: false }

/**
 * Reads a sorting, primary or partition key, and writes it anew: columns of the table, numbers, texts, arithmetic, tuples and
 * functions that only calculate. Nothing that a caller wrote reaches a statement in any other way.
 */
export const keyExpression = (expression: string, columns: ReadonlySet<string>): Result.Result<string, string> => {
  if (expression.length > longest) return Result.fail(`Expected at most ${longest} characters`)
  const scope = {
    columns: new Map(Array.from(columns, (name) => [name, anyType] as const)),
    aggregates: "refused"
  } as const
  return Result.flatMap(
    Result.mapError(parseSql(expression, scope), ({ message }) => message),
    (tree) => {
      const problem = problemOf(tree, 0)
      return problem === undefined ? Result.succeed(writeExpression(tree)) : Result.fail(problem)
    }
  )
}
