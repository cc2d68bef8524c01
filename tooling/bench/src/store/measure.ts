// Simulated servers over several databases of one Postgres at the same time, so that what they cost is compared in one run.
import { makeConnectionSeconds, postgresSeconds } from "@headgate/harness/postgresUsage"
import { fillPipes } from "@headgate/harness/fillPipes"
import { type HelperProcess, startHelper } from "@headgate/harness/HelperProcess"
import { say } from "@headgate/harness/Verdict"
import { Postgres } from "@headgate/sql-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { startPostgres } from "../../../../packages/sql-adapter/test/support/startPostgres.ts"
import { type Started, Watched } from "./messages.ts"

/** As many processes simulate the servers of one database. */
const processes = 2

/** The most connections of a simulated server, as of a real one: with fewer, its leases wait for the pipes that it starts. */
const connections = 10

/** Postgres as an operator runs it, and not as tests do. */
const settings = ["fsync=on", "full_page_writes=on", "autovacuum=on", "max_connections=1200", "shared_buffers=512MB"]

/** A Postgres that is busy takes its time. */
const longest = "1 minute"

export interface StoreOptions {
  /** Of each database. */
  readonly servers: number
  readonly seconds: number
  /** How many seconds the servers have to take the pipes, before what they do is measured. */
  readonly start: number
}

/** A database and its servers. */
export interface Database {
  readonly name: string
  readonly pipes: number
  /** For how many days the history of pipes is kept. */
  readonly historyDays: number
}

/** What was measured of one database. */
export interface Measured extends Database {
  /** How many of the pipes were moved at the end. */
  readonly held: number
  readonly lost: number
  readonly durations: ReadonlyMap<string, ReadonlyArray<number>>
  /** Cores that its connections used. */
  readonly cores: number
}

const decodeWatched = Schema.decodeUnknownEffect(Watched)

const script = new URL("./servers.main.ts", import.meta.url)

/** Starts the simulated servers of a database. Returns what asks all processes what they have seen since they were asked last. */
const startServers = Effect.fnUntraced(function* (url: string, servers: number, historyDays: number) {
  const helpers = yield* Effect.acquireRelease(
    Effect.sync(() => Array.from({ length: processes }, () => startHelper(script))),
    (started) => Effect.sync(() => started.forEach(({ stop }) => stop()))
  )
  yield* Effect.forEach(
    helpers,
    ({ ask }, index) => {
      const count = Math.floor((servers + index) / processes)
      const message: Started = { url, count, connections, historyDays }
      return Effect.promise(() => ask(message))
    },
    { concurrency: "unbounded" }
  )
  const read = ({ ask }: HelperProcess) =>
    Effect.flatMap(
      Effect.promise(() => ask("read")),
      decodeWatched
    )
  return Effect.map(Effect.forEach(helpers, read, { concurrency: "unbounded" }), together)
})

/** What all processes of one database have seen. */
const together = (all: ReadonlyArray<Watched>) => {
  const durations = new Map<string, ReadonlyArray<number>>()
  for (const { durations: of } of all)
    for (const [name, found] of Object.entries(of)) durations.set(name, [...(durations.get(name) ?? []), ...found])
  const sum = (of: (watched: Watched) => number) => all.reduce((total, one) => total + of(one), 0)
  return { durations, held: sum(({ held }) => held), lost: sum(({ lost }) => lost), cpu: sum(({ cpu }) => cpu) }
}

/** A database with its pipes, and the servers over it. */
const openDatabase = Effect.fnUntraced(function* (url: Redacted.Redacted, database: Database, servers: number) {
  yield* fillPipes(url, database.pipes)
  const pool = Postgres.layer({ url, maxConnections: 1, connectTimeout: longest, statementTimeout: longest })
  const sql = Context.get(yield* Layer.build(pool), SqlClient.SqlClient)
  const read = yield* startServers(Redacted.value(url), servers, database.historyDays)
  const seconds = makeConnectionSeconds(sql)
  const look = Effect.gen(function* () {
    return { seen: yield* read, seconds: yield* seconds }
  })
  return { database, read, look, seconds, sql }
})

/** Measures databases while nobody starts, stops or changes anything. */
export const measureStore = Effect.fnUntraced(function* (
  binaries: string,
  databases: ReadonlyArray<Database>,
  { seconds, servers, start }: StoreOptions
) {
  const postgres = yield* startPostgres(binaries, { settings })
  const open = yield* Effect.forEach(databases, (database) =>
    Effect.flatMap(postgres.createDatabase, (url) => openDatabase(url, database, servers))
  )
  const began = performance.now()
  for (const { database, read } of open) {
    let { held } = yield* read
    while (held < database.pipes && performance.now() - began < start * 1000) {
      yield* Effect.sleep("1 seconds")
      held = (yield* read).held
    }
    const passed = ((performance.now() - began) / 1000).toFixed(0)
    say(`${held} of ${database.pipes} pipes have a mover ${passed} s after the start`)
  }
  // The first notes, and the last of what a start does.
  yield* Effect.sleep("15 seconds")
  const total = open[0] === undefined ? Effect.succeed(0) : postgresSeconds(open[0].sql)
  const [before, totalBefore] = [yield* Effect.forEach(open, ({ look }) => look), yield* total]
  const at = performance.now()
  for (let second = 0; second < seconds; second += 1) {
    yield* Effect.sleep("1 seconds")
    yield* Effect.forEach(open, (one) => one.seconds, { discard: true })
  }
  const [after, totalAfter] = [yield* Effect.forEach(open, ({ look }) => look), yield* total]
  const passed = (performance.now() - at) / 1000
  const measured = open.map(({ database }, index): Measured => {
    const { seconds: from = 0 } = before[index] ?? {}
    const { seconds: to = 0, seen = together([]) } = after[index] ?? {}
    return { ...database, ...seen, cores: (to - from) / passed }
  })
  const clients = (all: typeof after) => all.reduce((sum, { seen }) => sum + seen.cpu, 0)
  return {
    measured,
    cores: (totalAfter - totalBefore) / passed,
    clientCores: (clients(after) - clients(before)) / passed
  }
})
