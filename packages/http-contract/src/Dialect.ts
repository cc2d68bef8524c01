import { pipeRefusals } from "@headgate/core/adapter"

/**
 * The names in requests and responses that contain the name of a vendor. Code uses only the neutral names; client and
 * server rename them when they encode and decode. See `docs/adr/0004-dialects.md`.
 *
 * @example
 * ```ts
 * import { type Dialect, neutral, renameSetting } from "@headgate/http-contract"
 *
 * // The dialect of a service whose settings begin with `acme_`.
 * const acme: Dialect = { ...neutral, settingsPrefix: "acme_" }
 * console.log(renameSetting(acme, "db_max_threads")) // acme_max_threads
 * ```
 */
export interface Dialect {
  /** The name of the dialect, or of the one from which it was made. */
  readonly name: DialectName
  /** The path segment of the pipe operations: `.../services/{serviceId}/<pipesSegment>/{id}`. */
  readonly pipesSegment: string
  /** The path segment of the dashboards of a service: `.../services/{serviceId}/<stackSegment>/dashboards`. */
  readonly stackSegment: string
  /** The name of the pipe's id among the path parameters of the OpenAPI document. */
  readonly pipeIdParameter: string
  /** The prefix of the settings of the database. */
  readonly settingsPrefix: string
  /** What refusals call a pipe. Clients look for the text. */
  readonly pipeName: string
}

/** The names of the dialects, for a configuration option. `dialects[name]` is the dialect. */
export const dialectNames = ["neutral", "clickhouse"] as const
/** The name of a dialect. */
export type DialectName = (typeof dialectNames)[number]

/** The default dialect, with the names of the contract: `dbpipes`, `dbPipeId`, `db_max_threads`. */
export const neutral: Dialect = {
  name: "neutral",
  pipesSegment: "dbpipes",
  stackSegment: "dbstack",
  pipeIdParameter: "dbPipeId",
  settingsPrefix: "db_",
  pipeName: "pipe"
}

/** The dialect of the real service and its official clients: `clickpipes`, `clickhouse_max_threads`. */
export const clickhouse: Dialect = {
  name: "clickhouse",
  pipesSegment: "clickpipes",
  stackSegment: "clickstack",
  pipeIdParameter: "clickPipeId",
  settingsPrefix: "clickhouse_",
  pipeName: "ClickPipe"
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
 * Renames a setting between the neutral dialect and another one, in both directions. It swaps the two prefixes, so it is its
 * own inverse and never gives two settings one name. Unknown settings are renamed as well.
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

/**
 * Renames the pipe in the text of a refusal: clients look for these words.
 *
 * @example
 * ```ts
 * import { clickhouse, renameRefusal } from "@headgate/http-contract"
 *
 * console.log(renameRefusal(clickhouse, "command: pipe is already running")) // command: ClickPipe is already running
 * ```
 */
export const renameRefusal = (dialect: Dialect, message: string): string =>
  Object.values(pipeRefusals).reduce(
    (text, refusal) => text.replace(refusal, dialect.pipeName + refusal.slice(neutral.pipeName.length)),
    message
  )
