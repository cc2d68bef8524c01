import { examples as neutralExamples } from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"
import { type Dialect, renameSetting } from "./Dialect.ts"
import type { Example } from "./Operation.ts"
import type { Operations } from "./operations.ts"

// A noun that lacks an example of a row does not compile.
type AllExamples = { readonly [Noun in keyof Operations]: { readonly [Name in keyof Operations[Noun]]: Example } }

const { configDashboard, ...others } = neutralExamples

const isObject = (json: Schema.Json): json is Schema.JsonObject => Predicate.isObject(json)

const renamed = (json: Schema.Json, dialect: Dialect): Schema.Json => {
  if (Array.isArray(json)) return json.map((item) => renamed(item, dialect))
  return isObject(json)
    ? Record.mapEntries(json, (value, name) => [renameSetting(dialect, name), renamed(value, dialect)])
    : json
}

const renamedExample = ({ payload, success }: Example, dialect: Dialect): Example => ({
  ...(payload === undefined ? {} : { payload: renamed(payload, dialect) }),
  ...(success === undefined ? {} : { success: renamed(success, dialect) })
})

/**
 * The examples of core in a dialect, by noun and name. They are for OpenAPI. They are not in the rows, because a client bundles
 * the rows.
 *
 * @example
 * ```ts
 * import { clickhouse, examples } from "@headgate/http-contract"
 *
 * console.log(examples(clickhouse).pipe.settings.success)
 * // { clickhouse_max_threads: 8, streaming_max_insert_wait_ms: 5000 }
 * ```
 */
export const examples = (dialect: Dialect): AllExamples => {
  const pipe = Record.map(others.pipe, (example: Example) => renamedExample(example, dialect))
  return dialect.name === "clickhouse"
    ? { ...others, pipe, dashboard: configDashboard, serviceDashboard: configDashboard }
    : { ...others, pipe }
}
