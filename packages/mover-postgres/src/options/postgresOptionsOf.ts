import type { PipeId, PostgresSource } from "@headgate/core"
import { type CopyLimits, SourceRefused } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PostgresOptions, PostgresTable } from "./PostgresOptions.ts"

const refuse = (field: string, message: string) =>
  Effect.fail(new SourceRefused({ path: `source.postgres.${field}`, message }))

/** The user name and the password of a pipe. */
export type PostgresCredentials = Redacted.Redacted<{
  readonly username?: string | null | undefined
  readonly password?: string | null | undefined
}>

// A caller's text is no folder of a Unix socket, no list and no connection string.
const hostName = /^[a-z\d_](?:[a-z\d_.-]*[a-z\d_.])?$|^[\da-f:.]+$/iu

const modes = { cdc: "both", snapshot: "snapshot", cdc_only: "changes" } as const

const isMode = (mode: string): mode is keyof typeof modes => Object.hasOwn(modes, mode)

/** A text, or nothing for what a caller left empty. */
const given = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" ? undefined : text

const name = (field: string, text: string | null | undefined) => {
  const found = given(text)
  if (found === undefined) return refuse(field, "Missing: it is required")
  // Postgres cuts longer names off.
  return new TextEncoder().encode(found).length > 63 || found.includes("\0")
    ? refuse(field, "Expected a name of at most 63 bytes")
    : Effect.succeed(found)
}

const tableOf = Effect.fnUntraced(function* (
  mapping: NonNullable<PostgresSource["tableMappings"]>[number],
  index: number
) {
  const path = `tableMappings[${index}]`
  const engine = given(mapping.tableEngine) ?? "ReplacingMergeTree"
  if (engine !== "ReplacingMergeTree") {
    return yield* refuse(`${path}.tableEngine`, `${engine} is not served: use ReplacingMergeTree`)
  }
  const sortingKeys = mapping.useCustomSortingKey === true ? (mapping.sortingKeys ?? []) : undefined
  const [partitionKey, partitionBy] = [given(mapping.partitionKey), given(mapping.partitionByExpr)]
  const table: PostgresTable = {
    schema: yield* name(`${path}.sourceSchemaName`, mapping.sourceSchemaName),
    table: yield* name(`${path}.sourceTable`, mapping.sourceTable),
    target: yield* name(`${path}.targetTable`, mapping.targetTable),
    excluded: mapping.excludedColumns ?? [],
    ...(sortingKeys === undefined ? {} : { sortingKeys }),
    ...(partitionKey === undefined ? {} : { partitionKey }),
    ...(partitionBy === undefined ? {} : { partitionBy })
  }
  return table
})

/** Fails for a table that is in two mappings: its changes would reach one of the two targets. The same for a target. */
const refuseRepeated = Effect.fnUntraced(function* (tables: ReadonlyArray<PostgresTable>) {
  const [sources, targets] = [new Map<string, number>(), new Map<string, number>()]
  for (const [index, table] of tables.entries()) {
    const name = [table.schema, table.table].map((part) => JSON.stringify(part)).join(".")
    const [first, receiver] = [sources.get(name), targets.get(table.target)]
    if (first !== undefined) {
      return yield* refuse(`tableMappings[${index}]`, `${name} is in tableMappings[${first}] already`)
    }
    if (receiver !== undefined) {
      const message = `${table.target} is the target of tableMappings[${receiver}] already`
      return yield* refuse(`tableMappings[${index}].targetTable`, message)
    }
    sources.set(name, index)
    targets.set(table.target, index)
  }
})

const tlsOf = ({
  caCertificate,
  disableTls,
  skipCertVerification,
  tlsHost
}: PostgresSource): PostgresOptions["tls"] => {
  if (disableTls === true) return undefined
  const [ca, host] = [given(caCertificate), given(tlsHost)]
  return {
    isVerified: skipCertVerification !== true,
    ...(ca === undefined ? {} : { ca }),
    ...(host === undefined ? {} : { host })
  }
}

const loginOf = Effect.fnUntraced(function* (credentials: PostgresCredentials | undefined) {
  const login = credentials === undefined ? {} : Redacted.value(credentials)
  const [username, password] = [given(login.username), given(login.password)]
  return username === undefined || password === undefined
    ? yield* refuse("credentials", "a username and a password are required")
    : { username, password: Redacted.make(password) }
})

/** Up to this long changes wait for more of them. */
const longestWait = Duration.hours(1)

/**
 * How the settings of a source want it to be copied, and no more than `most`: `pullBatchSize` is the most rows of an insert,
 * `initialLoadParallelism` and `snapshotNumberOfParallelTables` say what a snapshot reads at once. `syncIntervalSeconds` is the
 * time for which changes wait for more of them, up to an hour, in the place of that of `most`.
 */
export const copyOptionsOf = (
  { settings }: PostgresSource,
  most: Pick<CopyLimits, "limits" | "inFlight">
): CopyLimits => {
  const { initialLoadParallelism, pullBatchSize, snapshotNumberOfParallelTables, syncIntervalSeconds } = settings ?? {}
  const { inFlight, limits } = most
  return {
    inFlight,
    limits: {
      ...limits,
      rows: Math.min(pullBatchSize ?? limits.rows, limits.rows),
      wait: Duration.min(
        typeof syncIntervalSeconds === "number" ? Duration.seconds(syncIntervalSeconds) : limits.wait,
        longestWait
      )
    },
    partsAtOnce: Math.min(initialLoadParallelism ?? inFlight, inFlight),
    tablesAtOnce: Math.min(snapshotNumberOfParallelTables ?? inFlight, inFlight)
  }
}

const mostTables = 1000
const defaultRowsPerPart = 500_000

export const defaultPort = 5432

/** The slot and the publication of a pipe: its own have its name. A snapshot alone needs neither. */
export const createdNames = (
  pipeId: PipeId,
  { publicationName, replicationMode, replicationSlotName }: NonNullable<PostgresSource["settings"]>
) => {
  const own = `headgate_${pipeId.replaceAll("-", "")}`
  const [publication, slot] = [given(publicationName), given(replicationSlotName)]
  return {
    isSnapshot: replicationMode === "snapshot",
    publication: { name: publication ?? own, isOwn: publication === undefined },
    slot: { name: slot ?? own, isOwn: slot === undefined }
  }
}

const modeOf = Effect.fnUntraced(function* ({ replicationMode }: NonNullable<PostgresSource["settings"]>) {
  const mode = given(replicationMode) ?? "cdc"
  return isMode(mode)
    ? modes[mode]
    : yield* refuse("settings.replicationMode", `${mode} is not one of ${Object.keys(modes).join(", ")}`)
})

/**
 * The options for the source of a pipe. The slot and the publication have the name of the pipe, unless the source names its own:
 * those are used, and never changed or dropped. Fails with `SourceRefused` for what is not served, and names the field.
 */
export const postgresOptionsOf = Effect.fnUntraced(function* (
  source: PostgresSource,
  more: { readonly pipeId: PipeId; readonly credentials?: PostgresCredentials }
) {
  const settings = source.settings ?? {}
  const authentication = given(source.authentication) ?? "basic"
  if (authentication !== "basic") return yield* refuse("authentication", `${authentication} is not served: use basic`)
  if (given(source.iamRole) !== undefined) return yield* refuse("iamRole", "IAM is not served")
  const host = given(source.host)
  if (host === undefined || !hostName.test(host)) return yield* refuse("host", "Expected a host name or an IP address")
  const mode = yield* modeOf(settings)
  if (settings.deleteOnMerge === true) {
    return yield* refuse("settings.deleteOnMerge", "it is not served: deleted rows stay, with _peerdb_is_deleted = 1")
  }
  const mappings = source.tableMappings ?? []
  if (mappings.length === 0 || mappings.length > mostTables) {
    return yield* refuse("tableMappings", `Expected 1 to ${mostTables} tables`)
  }
  const tables = yield* Effect.forEach(mappings, tableOf)
  yield* refuseRepeated(tables)
  const { publication, slot } = createdNames(more.pipeId, settings)
  const tls = tlsOf(source)
  const options: PostgresOptions = {
    host,
    port: source.port ?? defaultPort,
    database: yield* name("database", source.database),
    ...(yield* loginOf(more.credentials)),
    ...(tls === undefined ? {} : { tls }),
    mode,
    publication,
    slot: { ...slot, isFailover: settings.enableFailoverSlots === true },
    tables,
    keepsNulls: settings.allowNullableColumns === true,
    rowsPerPart: settings.snapshotNumRowsPerPartition ?? defaultRowsPerPart
  }
  return options
})
