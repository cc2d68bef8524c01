import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import { type Dialect, neutral, renameSetting } from "../Dialect.ts"

/**
 * Spells the JSON text of a pipe, as a store keeps it, in a dialect: the very text that {@link pipeOnWire} writes, for
 * less. The neutral text is on the wire as it is; else the names of the settings are changed, and nothing is checked.
 *
 * @example
 * ```ts
 * import { clickhouse } from "@headgate/http-contract"
 * import { pipeTextOnWire } from "@headgate/http-contract/pipe"
 *
 * const stored = '{"name":"orders","settings":{"db_max_threads":8}}'
 * console.log(pipeTextOnWire(clickhouse)(stored)) // {"name":"orders","settings":{"clickhouse_max_threads":8}}
 * ```
 */
export const pipeTextOnWire = (dialect: Dialect): ((text: string) => string) => {
  if (dialect.name === neutral.name) return (text) => text
  return (text) => {
    const pipe = JSON.parse(text)
    return Predicate.isObject(pipe.settings)
      ? JSON.stringify({ ...pipe, settings: Record.mapKeys(pipe.settings, (name) => renameSetting(dialect, name)) })
      : text
  }
}
