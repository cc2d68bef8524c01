/**
 * How the names are spelled on the wire where a vendor's name once stood. The neutral names are the only ones inside;
 * a dialect renames at the edge, in the client and in the server. See `docs/adr/0004-dialects.md`.
 */
export interface Dialect {
  readonly name: DialectName
  /** The path segment of the pipe operations: `.../services/{serviceId}/<pipesSegment>/{id}`. */
  readonly pipesSegment: string
  /** The name of the pipe's id among the path parameters of the OpenAPI document. */
  readonly pipeIdParameter: string
  /** What the names of the database's own settings begin with. */
  readonly settingsPrefix: string
}

/** The names of the dialects. */
export const dialectNames = ["neutral", "clickhouse"] as const
export type DialectName = (typeof dialectNames)[number]

/** The names of the contract: `dbpipes`, `dbPipeId`, `db_max_threads`. */
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

/** The dialects by name. */
export const dialects: { readonly [Name in DialectName]: Dialect } = { neutral, clickhouse }

/**
 * The name of a setting on the other side of the edge. It swaps the two prefixes, so it is its own inverse: no setting
 * is lost or merged, whichever names a document holds, and a setting that is new to us is renamed as well.
 */
export const renameSetting = (dialect: Dialect, name: string): string =>
  name.startsWith(neutral.settingsPrefix)
    ? dialect.settingsPrefix + name.slice(neutral.settingsPrefix.length)
    : name.startsWith(dialect.settingsPrefix)
      ? neutral.settingsPrefix + name.slice(dialect.settingsPrefix.length)
      : name
