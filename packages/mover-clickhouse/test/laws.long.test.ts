import { EngineFailure } from "@headgate/clickhouse"
import { VersionedTables } from "@headgate/mover"
import { versionedTablesLaws, warehouseLaws } from "@headgate/mover/laws"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { ClickHouse, ClickHouseVersionedTables } from "../src/index.ts"
import { describeChdb, embedded, overHttp, startServer } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"

const broken = new EngineFailure({ code: undefined, message: "the connection was reset" })

/** Breaks the next insert of an engine when it has sent so many rows. */
const breakable = (engine: ClickHouse["Service"]) => {
  let breaksAfter: number | undefined
  const service: ClickHouse["Service"] = {
    ...engine,
    insert: (statement, rows, refine) => {
      if (breaksAfter === undefined) return engine.insert(statement, rows, refine)
      let left = breaksAfter
      breaksAfter = undefined
      const body = Stream.mapEffect(rows, (chunk) => {
        left -= chunk.filter((byte) => byte === 0x0a).length
        return left <= 0 ? Effect.fail(refine(broken)) : Effect.succeed(chunk)
      })
      return engine.insert(statement, body, refine)
    }
  }
  const breakNextInsert = (rows: number) =>
    Effect.sync(() => {
      breaksAfter = rows
    })
  return { service, breakNextInsert }
}

const subjectOf = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  breakNextInsert: (rows: number) => Effect.Effect<void>
) {
  const { database, lines, rows, warehouse } = yield* openPipe(engine, {
    columns: [
      { name: "n", type: "UInt64" },
      { name: "text", type: "String" }
    ],
    tableDefinition: { sortingKey: ["n"] }
  })
  return {
    warehouse,
    row: (number: number) => `{"n":${number},"text":"ünï '${number}'"}`,
    rejectedRow: `{"n":"none","text":"a"}`,
    rows,
    rejectedRows: Effect.map(lines(`SELECT raw_message FROM ${database}.t_pipe_errors`), (found) =>
      found.map((line) => String(JSON.parse(line).raw_message))
    ),
    // TRUNCATE would delete the table's memory of tokens, too.
    empty: Effect.asVoid(engine.run(`DELETE FROM ${database}.t WHERE true`)),
    breakNextInsert
  }
})

const build = (layer: Layer.Layer<ClickHouse, unknown>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, ClickHouse))

let databases = 0

/** Versioned tables in a new database. */
const versionedTables = Effect.fnUntraced(function* (engine: ClickHouse["Service"]) {
  databases += 1
  const database = `versions${process.pid}_${databases}`
  yield* engine.run(`CREATE DATABASE ${database}`)
  yield* Effect.addFinalizer(() => Effect.ignore(engine.run(`DROP DATABASE ${database}`)))
  const layer = ClickHouseVersionedTables.layer({ database })
  const context = yield* Layer.build(Layer.provide(layer, Layer.succeed(ClickHouse, engine)))
  const lines = (sql: string) =>
    Effect.map(engine.run(`${sql} FORMAT TSV`), (answer) => answer.split("\n").filter((line) => line !== ""))
  return {
    tables: Context.get(context, VersionedTables),
    rejected: (target: string) =>
      Effect.map(
        lines(`SELECT base64Encode(raw_message), base64Encode(error) FROM ${database}.${target}_pipe_errors`),
        (found) =>
          found.map((line) => {
            const [content = "", reason = ""] = line.split("\t")
            return { content: Buffer.from(content, "base64"), reason: Buffer.from(reason, "base64").toString("utf8") }
          })
      ),
    rows: (target: string) => lines(`SELECT id, text FROM ${database}.${target} FINAL WHERE _peerdb_is_deleted = 0`)
  }
})

describeChdb("over the embedded engine", () => {
  versionedTablesLaws({
    name: "embedded ClickHouse",
    make: Effect.flatMap(build(embedded), versionedTables)
  })

  warehouseLaws({
    name: "embedded ClickHouse",
    make: Effect.gen(function* () {
      const { breakNextInsert, service } = breakable(yield* build(embedded))
      return yield* subjectOf(service, breakNextInsert)
    })
  })
})

describeChdb("over HTTP", () => {
  versionedTablesLaws({
    name: "ClickHouse over HTTP",
    make: Effect.flatMap(
      Effect.flatMap(startServer(), (front) => build(overHttp(front))),
      versionedTables
    )
  })

  warehouseLaws({
    name: "ClickHouse over HTTP",
    make: Effect.gen(function* () {
      const front = yield* startServer()
      return yield* subjectOf(yield* build(overHttp(front)), front.breakNextInsert)
    })
  })
})
