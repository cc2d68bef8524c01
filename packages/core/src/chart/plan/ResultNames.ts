import * as Result from "effect/Result"
import { column, type Expression } from "../expression/Expression.ts"
import { functionOf } from "../expression/functionTable.ts"
import type { ColumnType } from "../query/ColumnType.ts"
import type { Named, Order } from "../query/TableQuery.ts"
import { type Planned, readExpression, readList, refuse, type TextScope } from "./texts.ts"

/** A column of a result that expressions may name: by its name, or by its expression. */
export interface ResultColumn {
  readonly name: string
  readonly result: string
  readonly expression: Expression
}

const unknownType: ColumnType = { text: "", kind: "other", isNullable: true }

/** The columns of a table that an expression names. */
const columnsIn = (expression: Expression, inner: ReadonlySet<string> = new Set()): ReadonlyArray<string> => {
  switch (expression._tag) {
    case "Literal":
      return []
    case "Column":
      return inner.has(expression.name) ? [] : [expression.name]
    case "Cast":
      return columnsIn(expression.argument, inner)
    case "Lambda":
      return columnsIn(expression.body, new Set([...inner, ...expression.parameters]))
    case "Call":
      return expression.arguments.flatMap((argument) => columnsIn(argument, inner))
  }
}

/** Makes expressions over a result of expressions over its table: what is aggregated is a column of the result, too. */
export class ResultNames {
  readonly #columns: ReadonlyArray<ResultColumn>
  readonly #table: ReadonlyMap<string, ColumnType>
  readonly #scope: Pick<TextScope, "columns">
  readonly #added = new Map<string, Named>()

  constructor(columns: ReadonlyArray<ResultColumn>, { columns: table }: TextScope) {
    this.#columns = columns
    this.#table = table
    // A name of the result goes before that of a column of the table.
    this.#scope = { columns: new Map([...table, ...columns.map(({ name }) => [name, unknownType] as const)]) }
  }

  /** What the query must have beside its values. */
  get added(): ReadonlyArray<Named> {
    return [...this.#added.values()]
  }

  /** A condition over the result. */
  readCondition(text: string, path: string): Planned<Expression | undefined> {
    if (text.trim() === "") return Result.succeed(undefined)
    return Result.flatMap(readExpression(text, path, this.#scope, "allowed"), (read) => this.#resolve(read, path))
  }

  /** An order of the rows of the result. */
  readOrder(text: string, path: string): Planned<ReadonlyArray<Order>> {
    return Result.flatMap(readList(text, path, this.#scope, "allowed"), (items) =>
      Result.all(
        items.map(({ expression, isDescending }) =>
          Result.map(this.#resolve(expression, path), (resolved) => ({ expression: resolved, isDescending }))
        )
      )
    )
  }

  #resolve(expression: Expression, path: string, inner: ReadonlySet<string> = new Set()): Planned<Expression> {
    const written = JSON.stringify(expression)
    const known = this.#columns.find((one) => JSON.stringify(one.expression) === written)
    if (known !== undefined) return Result.succeed(column(known.result))
    switch (expression._tag) {
      case "Literal":
        return Result.succeed(expression)
      case "Column":
        return inner.has(expression.name) ? Result.succeed(expression) : this.#named(expression.name, path)
      case "Cast":
        return Result.map(this.#resolve(expression.argument, path, inner), (argument) => ({ ...expression, argument }))
      case "Lambda": {
        const within = new Set([...inner, ...expression.parameters])
        return Result.map(this.#resolve(expression.body, path, within), (body) => ({ ...expression, body }))
      }
      case "Call":
        return functionOf(expression.name)?.kind === "aggregate"
          ? this.#aggregate(expression, written, path)
          : Result.map(
              Result.all(expression.arguments.map((argument) => this.#resolve(argument, path, inner))),
              (args) => ({ ...expression, arguments: args })
            )
    }
  }

  #named(name: string, path: string): Planned<Expression> {
    const found = this.#columns.find((one) => one.name === name)
    const names = this.#columns.map((one) => one.name).join(", ")
    return found === undefined
      ? refuse(path, `"${name}" is not a column of the result, which are: ${names}`)
      : Result.succeed(column(found.result))
  }

  #aggregate(expression: Expression, written: string, path: string): Planned<Expression> {
    const unknown = columnsIn(expression).find((name) => !this.#table.has(name))
    if (unknown !== undefined) return refuse(path, `there is no column "${unknown}" in the table`)
    const added = this.#added.get(written) ?? { name: `x${this.#added.size}`, expression }
    this.#added.set(written, added)
    return Result.succeed(column(added.name))
  }
}
