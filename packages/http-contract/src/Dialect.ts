/**
 * How the names are spelled on the wire where a vendor's name once stood. The neutral names are the only ones inside;
 * a dialect renames at the edge, in the client and in the server. See `docs/adr/0004-dialects.md`.
 *
 * @example
 * ```ts
 * import { type Dialect, neutral, renameSetting } from "@headgate/http-contract"
 *
 * // A service that says `db` in paths and `acme_` in settings.
 * const acme: Dialect = { ...neutral, settingsPrefix: "acme_" }
 * console.log(renameSetting(acme, "db_max_threads")) // acme_max_threads
 * ```
 */
export interface Dialect {
  /** Of the dialect it is, or the one it was made from. */
  readonly name: DialectName
  /** The path segment of the pipe operations: `.../services/{serviceId}/<pipesSegment>/{id}`. */
  readonly pipesSegment: string
  /** The name of the pipe's id among the path parameters of the OpenAPI document. */
  readonly pipeIdParameter: string
  /** What the names of the database's own settings begin with. */
  readonly settingsPrefix: string
}

/** The names of the dialects, for a configuration's choice: `dialects[name]` is the dialect. */
export const dialectNames = ["neutral", "clickhouse"] as const
/** The name of a dialect. */
export type DialectName = (typeof dialectNames)[number]

/** The default: the names of the contract, `dbpipes`, `dbPipeId`, `db_max_threads`. */
export const neutral: Dialect = {
  name: "neutral",
  pipesSegment: "dbpipes",
  pipeIdParameter: "dbPipeId",
  settingsPrefix: "db_"
}

/** The names that the real service and its official clients use: `clickpipes`, `clickhouse_max_threads`. */
export const clickhouse: Dialect = {
  name: "clickhouse",
  pipesSegment: "clickpipes",
  pipeIdParameter: "clickPipeId",
  settingsPrefix: "clickhouse_"
}

/**
 * The dialects by name.
 *
 * @example
 * ```ts
 * import { dialectNames, dialects } from "@headgate/http-contract"
 * import * as Config from "effect/Config"
 * import * as Schema from "effect/Schema"
 *
 * export const dialect = Config.schema(Schema.Literals(dialectNames), "HEADGATE_DIALECT").pipe(
 *   Config.withDefault("neutral" as const),
 *   Config.map((name) => dialects[name])
 * )
 * ```
 */
export const dialects: { readonly [Name in DialectName]: Dialect } = { neutral, clickhouse }

/**
 * The name of a setting on the other side of the edge. It swaps the two prefixes, so it is its own inverse: no setting
 * is lost or merged, whichever names a document holds, and a setting that is new to us is renamed as well.
 *
 * @example
 * ```ts
 * import { clickhouse, renameSetting } from "@headgate/http-contract"
 *
 * console.log(renameSetting(clickhouse, "db_max_threads")) // clickhouse_max_threads
 * console.log(renameSetting(clickhouse, "clickhouse_max_threads")) // db_max_threads
 * console.log(renameSetting(clickhouse, "streaming_max_insert_wait_ms")) // streaming_max_insert_wait_ms
 * ```
 */
export const renameSetting = (dialect: Dialect, name: string): string =>
  name.startsWith(neutral.settingsPrefix)
    ? dialect.settingsPrefix + name.slice(neutral.settingsPrefix.length)
    : name.startsWith(dialect.settingsPrefix)
      ? neutral.settingsPrefix + name.slice(dialect.settingsPrefix.length)
      : name
