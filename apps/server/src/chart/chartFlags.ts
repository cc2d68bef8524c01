import { OrganizationId } from "@headgate/core"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { type FlagValues, parseDuration } from "../flags.ts"
import { allowedFlag } from "../mover/allowedSource.ts"
import { UsageError } from "../StartupError.ts"

/** A database of the warehouses that an organization may read; without one: the only organization of the store. */
export interface QueryDatabase {
  readonly organizationId?: OrganizationId
  readonly database: string
}

/** Databases in which the engine describes itself. */
const ownDatabases = new Set(["system", "information_schema"])

const decodeOrganization = Schema.decodeUnknownOption(OrganizationId)

/** Parses `database` or `organization=database`. */
const parseQueryDatabase = (text: string): Option.Option<QueryDatabase> => {
  const at = text.indexOf("=")
  const database = text.slice(at + 1)
  if (database === "" || ownDatabases.has(database.toLowerCase())) return Option.none()
  return at === -1
    ? Option.some({ database })
    : Option.map(decodeOrganization(text.slice(0, at)), (organizationId) => ({ organizationId, database }))
}

const units: Readonly<Record<string, number>> = { "": 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
const leastMemory = 2 ** 20
const mostMemory = 2 ** 40

/** Parses a number of bytes: `512MiB`, `2GiB` or digits alone. */
const parseBytes = (text: string): Option.Option<number> => {
  const [, digits, unit = ""] = /^(\d{1,13})(KiB|MiB|GiB)?$/u.exec(text) ?? []
  const bytes = Number(digits) * (units[unit] ?? 1)
  return bytes >= leastMemory && bytes <= mostMemory ? Option.some(bytes) : Option.none()
}

const mostSeconds = 600

/** Parses a time of whole seconds. */
const parseSeconds = (text: string): Option.Option<number> =>
  Option.filter(
    Option.map(Option.fromUndefinedOr(parseDuration(text)), Duration.toSeconds),
    (seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= mostSeconds
  )

const mostRows = 1e15

/** The flags of a server that serves charts. */
export const chartFlags = {
  charts: Flag.Boolean("charts").pipe(
    Flag.withDescription(
      "Let callers query the tables of their pipes; a warehouse that is a server needs a user for it, and with one this is on [HEADGATE_QUERY_USER, HEADGATE_QUERY_PASSWORD]"
    ),
    Flag.withDefault(false)
  ),
  queryDatabase: Flag.String("query-database").pipe(
    Flag.withMetavar("[organization=]database"),
    Flag.withDescription(
      "Database whose tables and views charts may read, too; repeat the flag for more. Without an organization only while the store has one"
    ),
    Flag.filterMap(
      parseQueryDatabase,
      () => "a database, or <id of an organization>=database; none of the engine's own, such as system"
    ),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<QueryDatabase>>([])
  ),
  allowQueryHost: allowedFlag(
    "allow-query-host",
    "Host or network that stored connections may lead charts to; repeat the flag for more (default: none but the warehouses)"
  ),
  allowRawSql: Flag.Boolean("allow-raw-sql").pipe(
    Flag.withDescription(
      "Run the SQL of dashboards' tiles on servers, as the user of queries or of a stored connection"
    ),
    Flag.withDefault(false)
  ),
  queryTimeout: Flag.String("query-timeout").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription("How long a query of a chart may take (default: 10s)"),
    Flag.filterMap(parseSeconds, () => `a time of whole seconds, from 1s to ${mostSeconds}s`),
    Flag.optional
  ),
  queryMemory: Flag.String("query-memory").pipe(
    Flag.withMetavar("bytes"),
    Flag.withDescription("How much memory a query of a chart may use (default: 512MiB)"),
    Flag.filterMap(parseBytes, () => "a number of bytes such as 512MiB or 2GiB, from 1MiB to 1024GiB"),
    Flag.optional
  ),
  queryRows: Flag.Int("query-rows").pipe(
    Flag.withMetavar("number"),
    Flag.withDescription("How many rows a query of a chart may read (default: 1000000000)"),
    Flag.filter(
      (rows) => rows >= 1 && rows <= mostRows,
      () => "a whole number of at least 1"
    ),
    Flag.optional
  )
}

export type ChartOptions = FlagValues<typeof chartFlags>

/** The user that charts read warehouses as. */
export interface QueryUser {
  readonly user: string
  readonly password: Redacted.Redacted
}

const environment = Config.all({
  user: Config.option(Config.String("HEADGATE_QUERY_USER")),
  password: Config.option(Config.Redacted("HEADGATE_QUERY_PASSWORD"))
})

/** The user of queries, from the environment. Fails with `UsageError` for a user without a password, and the other way round. */
export const readQueryUser: Effect.Effect<Option.Option<QueryUser>, UsageError> = environment.pipe(
  Effect.mapError(({ message }) => new UsageError({ message: `the user of queries: ${message}` })),
  Effect.filterOrFail(
    ({ password, user }) => Option.isSome(user) === Option.isSome(password),
    () => new UsageError({ message: "HEADGATE_QUERY_USER and HEADGATE_QUERY_PASSWORD go together: set both" })
  ),
  Effect.map(({ password, user }) => Option.filter(Option.all({ user, password }), ({ user: name }) => name !== ""))
)

/** The flags that say how charts read, as they are written; none without one of them. */
export const chartFlagsAlone = ({
  allowQueryHost,
  allowRawSql,
  queryDatabase,
  queryMemory,
  queryRows,
  queryTimeout
}: ChartOptions): ReadonlyArray<string> =>
  (
    [
      [queryDatabase.length > 0, "--query-database"],
      [allowQueryHost.length > 0, "--allow-query-host"],
      [allowRawSql, "--allow-raw-sql"],
      [Option.isSome(queryTimeout), "--query-timeout"],
      [Option.isSome(queryMemory), "--query-memory"],
      [Option.isSome(queryRows), "--query-rows"]
    ] as const
  ).flatMap(([isGiven, flag]) => (isGiven ? [flag] : []))
