/** A part of a statement, and the values of its parameters. */
export interface ObjectQuery {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
}

// The engine reads statements of at most 262,144 bytes (`max_query_size`).
const longestStatement = 200_000

const parameter = /\{(\w+):/gu

/** The settings of a statement over a union: the engine would plan its conditions anew for each of its parts, and compile their patterns. */
export const wholeUnion = { query_plan_enable_optimizations: 0 }

/** The length of a query with its parameters as literals. Each byte of one takes at most two. */
const lengthOf = ({ parameters, sql }: ObjectQuery): number =>
  Buffer.byteLength(sql) + Object.values(parameters).reduce((sum, value) => sum + 2 * Buffer.byteLength(value), 0)

/** Divides queries, so that a statement with all those of a part is not too long for the engine. */
export const divideByLength = <Query extends ObjectQuery>(
  queries: ReadonlyArray<Query>,
  longest = longestStatement
): ReadonlyArray<ReadonlyArray<Query>> => {
  const parts: Array<Array<Query>> = []
  let length = Infinity
  for (const query of queries) {
    length += lengthOf(query)
    if (length > longest) {
      parts.push([])
      length = lengthOf(query)
    }
    parts.at(-1)?.push(query)
  }
  return parts
}

/**
 * What stands after `FROM` for the rows of all these table functions. Parameters with the same name and value are one. `columnOf`: a
 * column beside those of each function.
 */
export const unionAll = (functions: ReadonlyArray<ObjectQuery>, columnOf?: (index: number) => string): ObjectQuery => {
  const [first, ...more] = functions
  if (first === undefined) return { sql: "(SELECT 1 WHERE false)", parameters: {} }
  if (more.length === 0 && columnOf === undefined) return first
  const parameters = { ...first.parameters }
  const queries = functions.map(({ parameters: own, sql }, index) => {
    const renamed = (name: string) => (parameters[name] === own[name] ? name : `${name}_${index}`)
    for (const [name, value] of Object.entries(own)) parameters[renamed(name)] = value
    const column = columnOf === undefined ? "" : `, ${columnOf(index)}`
    return `SELECT *${column} FROM ${sql.replaceAll(parameter, (_, name: string) => `{${renamed(name)}:`)}`
  })
  return { sql: `(${queries.join(" UNION ALL ")})`, parameters }
}

/** The column with the number of the table function that a row is of, from 1. It is 0 in the row that stands for one without rows. */
export const numberColumn = "headgate_object"
const numbers = "headgate_number"

/**
 * What stands after `FROM` for the rows of all these table functions, each with its number, and a row without values for each of them that
 * has none. The engine reads no more for it: it holds the numbers, and passes the rows on.
 */
export const unionOfNumbered = (functions: ReadonlyArray<ObjectQuery>): ObjectQuery => {
  const { parameters, sql } = unionAll(functions, (index) => `toUInt32(${index + 1}) AS ${numberColumn}`)
  const all = `(SELECT toUInt32(number + 1) AS ${numbers} FROM numbers(${functions.length}))`
  return { sql: `${sql} AS rows RIGHT JOIN ${all} AS objects ON ${numberColumn} = ${numbers}`, parameters }
}

/** The numbers of the table functions that have no row, of a query of {@link unionOfNumbered}. */
export const numbersWithoutRow = ({ parameters, sql }: ObjectQuery): ObjectQuery => ({
  sql: `SELECT ${numbers} AS number FROM ${sql} WHERE ${numberColumn} = 0 ORDER BY number`,
  parameters
})
