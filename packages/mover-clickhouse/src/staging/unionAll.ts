/** A part of a statement, and the values of its parameters. */
export interface ObjectQuery {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
}

// The engine reads statements of at most 262,144 bytes (`max_query_size`).
const longestStatement = 200_000

const parameter = /\{(\w+):/gu

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

/** What stands after `FROM` for the rows of all these table functions. Parameters with the same name and value are one. */
export const unionAll = (functions: ReadonlyArray<ObjectQuery>): ObjectQuery => {
  const [first, ...more] = functions
  if (first === undefined || more.length === 0) return first ?? { sql: "(SELECT 1 WHERE false)", parameters: {} }
  const parameters = { ...first.parameters }
  const queries = functions.map(({ parameters: own, sql }, index) => {
    const renamed = (name: string) => (parameters[name] === own[name] ? name : `${name}_${index}`)
    for (const [name, value] of Object.entries(own)) parameters[renamed(name)] = value
    return `SELECT * FROM ${sql.replaceAll(parameter, (_, name: string) => `{${renamed(name)}:`)}`
  })
  return { sql: `(${queries.join(" UNION ALL ")})`, parameters }
}
