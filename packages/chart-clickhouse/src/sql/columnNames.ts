import type { Expression, QuerySource, TableQuery } from "@headgate/core/adapter"

/** The expressions of a query, without those of what it reads. */
const expressionsOf = (query: QuerySource | TableQuery): ReadonlyArray<Expression | undefined> => {
  if (!("_tag" in query)) return []
  const named = (list: ReadonlyArray<{ readonly expression: Expression }>) => list.map(({ expression }) => expression)
  switch (query._tag) {
    case "Rows":
      return [query.where, ...named(query.columns), ...named(query.orderBy)]
    case "Grouped":
      return [
        query.where,
        query.having,
        query.bucket?.expression,
        ...named([...query.groups, ...query.values, ...query.orderBy])
      ]
    case "Counter":
      return [query.where, query.series, query.time, query.value, query.isDifference, ...named(query.columns)]
  }
}

const addNames = (expression: Expression, names: Set<string>): void => {
  switch (expression._tag) {
    case "Literal":
      return
    case "Column":
      names.add(expression.name)
      return
    case "Call":
      for (const argument of expression.arguments) addNames(argument, names)
      return
    case "Cast":
      return addNames(expression.argument, names)
    case "Lambda":
      for (const name of expression.parameters) names.add(name)
      return addNames(expression.body, names)
  }
}

/** Every name that a query and what it reads have: of columns of the table, of results, of parameters of lambdas. */
export const namesOf = (query: QuerySource | TableQuery): ReadonlySet<string> => {
  const names = new Set<string>()
  for (let at: QuerySource | TableQuery | undefined = query; at !== undefined;) {
    for (const expression of expressionsOf(at)) if (expression !== undefined) addNames(expression, names)
    if (!("_tag" in at)) for (const name of at.columns.keys()) names.add(name)
    at = "_tag" in at ? at.from : undefined
  }
  return names
}

/** An expression over the columns of a statement, and the names of columns that are not there. */
interface Renamed {
  readonly expression: Expression
  readonly unknown: ReadonlyArray<string>
}

/** Names the columns of an expression as the statement does. Parameters of lambdas stay. */
export const renameColumns = (
  expression: Expression,
  columns: ReadonlyMap<string, string>,
  parameters: ReadonlySet<string> = new Set()
): Renamed => {
  switch (expression._tag) {
    case "Literal":
      return { expression, unknown: [] }
    case "Column": {
      if (parameters.has(expression.name)) return { expression, unknown: [] }
      const name = columns.get(expression.name)
      return name === undefined
        ? { expression, unknown: [expression.name] }
        : { expression: { _tag: "Column", name }, unknown: [] }
    }
    case "Call": {
      const renamed = expression.arguments.map((argument) => renameColumns(argument, columns, parameters))
      return {
        expression: { ...expression, arguments: renamed.map((one) => one.expression) },
        unknown: renamed.flatMap(({ unknown }) => unknown)
      }
    }
    case "Cast": {
      const argument = renameColumns(expression.argument, columns, parameters)
      return { expression: { ...expression, argument: argument.expression }, unknown: argument.unknown }
    }
    case "Lambda": {
      const inner = new Set([...parameters, ...expression.parameters])
      const body = renameColumns(expression.body, columns, inner)
      return { expression: { ...expression, body: body.expression }, unknown: body.unknown }
    }
  }
}
