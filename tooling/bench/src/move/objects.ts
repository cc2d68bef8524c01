// How fast the objects of a storage get into a table, beside one statement of the engine that reads them all.
import { PipeId } from "@headgate/core"
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, targetTable } from "@headgate/harness/table"
import { movePipe } from "@headgate/mover"
import { ClickHouse, ClickHouseWarehouse } from "@headgate/mover-clickhouse"
import { ObjectStorage } from "@headgate/mover-object-storage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { createReadStream, mkdirSync, readdirSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { ledgerOf } from "./contestants.ts"
import { columns, columnsText, type World } from "./world.ts"

/** The objects: 20 of 100 MB. */
const objects = { count: 20, rows: 1_500_000 }

/** Serves the files of a folder as a bucket that anyone may list and read. moto reads an object anew for each of its parts. */
const serveBucket = Effect.fnUntraced(function* (folder: string) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    const sizeOf = (name: string) => statSync(join(folder, name)).size
    const key = pathname.slice("/bucket/".length)
    if (key === "") {
      const prefix = searchParams.get("prefix") ?? ""
      const after = searchParams.get("start-after") ?? ""
      const contents = readdirSync(folder)
        .filter((name) => name.startsWith(prefix) && name > after)
        .toSorted()
        .map(
          (name) =>
            `<Contents><Key>${name}</Key><ETag>"${name}"</ETag><Size>${sizeOf(name)}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`
        )
      const list = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><KeyCount>${contents.length}</KeyCount><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`
      return response.writeHead(200, { "content-type": "application/xml" }).end(list)
    }
    const size = sizeOf(key)
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? []
    const [start, end] = [Number(from ?? 0), to === undefined || to === "" ? size - 1 : Math.min(Number(to), size - 1)]
    const part = from === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` }
    response.writeHead(from === undefined ? 200 : 206, {
      etag: `"${key}"`,
      "content-length": end - start + 1,
      "last-modified": new Date(0).toUTCString(),
      ...part
    })
    if (request.method === "HEAD") return response.end()
    return createReadStream(join(folder, key), { start, end, highWaterMark: 1024 * 1024 }).pipe(response)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => void server.close().closeAllConnections())
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/bucket`
})

/** Writes the objects, and serves them. */
const makeBucket = Effect.fnUntraced(function* ({ engine, folder }: World, count: number, rows: number) {
  const files = join(folder, "objects")
  mkdirSync(files)
  for (let object = 0; object < count; object += 1) {
    const name = join(files, `events-${String(object).padStart(2, "0")}.json`)
    yield* engine.run(`INSERT INTO FUNCTION file('${name}', 'JSONEachRow', 'id UInt64, user String, amount String, at UInt32')
      SELECT number AS id, 'user-' || toString(id % 10007), toString(id % 997) || '.25', 1700000000 + id
      FROM numbers(${object * rows}, ${rows})`)
  }
  return yield* serveBucket(files)
})

const names = { headgate: "headgate, objects", bare: "INSERT ... SELECT FROM s3()" }

/** One way. `move` succeeds when all objects of the bucket are in the table of this name. */
interface Contestant {
  readonly name: string
  readonly move: (world: World, bucket: string, table: string) => Effect.Effect<void, unknown>
}

const contestants: ReadonlyArray<Contestant> = [
  {
    name: names.headgate,
    move: Effect.fnUntraced(function* ({ engine, folder }: World, url: string, table: string) {
      const pipeId = PipeId.make(randomUUID())
      const destination = {
        database: "default",
        table,
        managedTable: true,
        columns: [...columns],
        tableDefinition: { sortingKey: ["id"] }
      }
      const parts = Layer.mergeAll(
        ObjectStorage.layer({ url: `${url}/*.json`, format: "JSONEachRow", compression: "none", isContinuous: false }),
        ClickHouseWarehouse.layer({ destination }).pipe(Layer.provide(Layer.succeed(ClickHouse, engine))),
        ledgerOf(join(folder, "ledger.sqlite"), pipeId)
      )
      const moving = movePipe({
        pipeId,
        limits: { rows: 100_000, bytes: 16 * 1024 * 1024, wait: Duration.seconds(5) },
        inFlight: 4,
        partsPerInsert: 1,
        pipesOnTable: 1,
        report: () => Effect.void
      })
      yield* Effect.provide(moving, parts)
    })
  },
  {
    name: names.bare,
    move: Effect.fnUntraced(function* ({ engine }: World, url: string, table: string) {
      yield* engine.run(`CREATE TABLE ${table} (${columnsText}) ENGINE = MergeTree ORDER BY id`)
      yield* engine.run(
        `INSERT INTO ${table} SELECT * FROM s3('${url}/*.json', NOSIGN, 'JSONEachRow', '${columnsText}', 'none')`
      )
    })
  }
]

/** Measures the ways in turn, and prints their table and the target. */
export const benchObjects = Effect.fnUntraced(function* (world: World, rounds: number, isQuick: boolean) {
  const { engine } = world
  const [count, rows] = isQuick ? [2, 10_000] : [objects.count, objects.rows]
  const url = yield* makeBucket(world, count, rows)
  let tables = 0
  const measured = yield* Effect.promise(() =>
    runRounds(contestants, rounds, async ({ move, name }) => {
      tables += 1
      const to = `objects${tables}`
      const start = performance.now()
      await Effect.runPromise(move(world, url, to))
      const seconds = (performance.now() - start) / 1000
      const found = (await Effect.runPromise(engine.run(`SELECT count(), uniqExact(id) FROM ${to} FORMAT TSV`))).trim()
      if (found !== `${count * rows}\t${count * rows}`)
        say(`${name}: ${found} rows and ids, in place of ${count * rows}`)
      await Effect.runPromise(engine.run(`DROP TABLE ${to} SYNC`))
      return (count * rows) / seconds
    })
  )
  const rate = (rows: number) => rows
  const ratioOf = (name: string) => medianRatio(measured, name, names.bare, rate)
  say()
  for (const line of table([
    [`${count} objects, ${count * rows} rows, ${measured.length} rounds`, "rows/s", `/ ${names.bare}`],
    ...contestants.map(({ name }) => [name, medianOf(measured, name, rate).toFixed(0), ratioOf(name).toFixed(2)])
  ]))
    say(line)
  say()
  const target = { what: `${names.headgate} / ${names.bare}`, atLeast: 0.9, measured: ratioOf(names.headgate) }
  for (const line of targetTable([target])) say(line)
})
