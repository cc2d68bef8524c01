// What objects cost until they are in a table: large ones beside one statement of the engine that reads them all, small ones beside one with
// the same rows, and what is sent of Parquet of which one column is read.
import { startHelper } from "@headgate/harness/HelperProcess"
import { say } from "@headgate/harness/Verdict"
import { medianRatio } from "@headgate/harness/rounds"
import { targetTable } from "@headgate/harness/table"
import type { ObjectFormat } from "@headgate/mover"
import { ObjectStorage } from "@headgate/mover-object-storage"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Contestant, cpuOf, measure, rateTarget } from "./measure.ts"
import { runPipe } from "./pipe.ts"
import { type Column, structureOf, type Environment } from "./environment.ts"

const accessKey = { accessKeyId: "AKIABENCH", secretKey: "secret-of-the-benchmark" }

/** A storage beside this process; one with a key gives its objects to nobody else. */
const startStorage = Effect.fnUntraced(function* (hasKey = true) {
  const args = hasKey ? [accessKey.accessKeyId, accessKey.secretKey] : []
  const helper = yield* Effect.acquireRelease(
    Effect.sync(() => startHelper(new URL("storage.main.ts", import.meta.url), args)),
    (helper) => Effect.sync(() => helper.stop())
  )
  const url = `${String(yield* Effect.promise(() => helper.next()))}/bucket`
  return { url, hasKey, bytesSent: Effect.promise(async () => Number(await helper.ask("bytes"))) }
})
type Storage = Effect.Success<ReturnType<typeof startStorage>>

const columns: ReadonlyArray<Column> = [
  { name: "id", type: "UInt64" },
  { name: "user", type: "String" },
  { name: "amount", type: "Decimal(12, 2)" },
  { name: "at", type: "DateTime64(3, 'UTC')" },
  { name: "tags", type: "Array(UInt32)" }
]
const structure = structureOf(columns)
const values = `number AS id, 'user-' || toString(id % 10007) AS user, (id % 997) + toDecimal64(0.25, 2) AS amount,
  toDateTime64(1700000000 + id / 1000, 3, 'UTC') AS at, [id % 7, id % 1009, id % 100003, 40000] AS tags`

/** Has the engine write rows into an object. */
const write = (
  { engine }: Environment,
  { url }: Storage,
  key: string,
  format: ObjectFormat,
  from: number,
  rows: number
) =>
  engine.run(
    `INSERT INTO FUNCTION url('${url}/${key}', '${format}', '${structure.replaceAll("'", "\\'")}')
    SETTINGS output_format_parquet_compression_method = 'none' SELECT ${values} FROM numbers(${from}, ${rows})`
  )

/** A pipe that reads the objects of a folder. The host is one that the operator trusts. */
const pipeOf = ({ hasKey, url }: Storage, folder: string, format: ObjectFormat, read = columns) => ({
  columns: read,
  source: ObjectStorage.layer({
    url: `${url}/${folder}/*`,
    format,
    compression: "none",
    isContinuous: false,
    trustedHosts: ["127.0.0.1"],
    ...(hasKey ? { accessKey: Redacted.make(accessKey) } : {})
  })
})

const formats = {
  JSONEachRow: { label: "NDJSON", rowsPerMegabyte: 10_000 },
  Parquet: { label: "Parquet", rowsPerMegabyte: 17_000 }
} as const
const objectsOf = 4
const ours = (label: string) => `headgate, ${label}`
const bare = (label: string) => `INSERT ... SELECT FROM s3(), ${label}`
const [small, whole] = ["headgate, objects of 3 rows", "headgate, one object with their rows"]

const bigContestants = Effect.fnUntraced(function* (environment: Environment, storage: Storage, megabytes: number) {
  const contestants: Array<Contestant> = []
  for (const format of ["JSONEachRow", "Parquet"] as const) {
    const { label, rowsPerMegabyte } = formats[format]
    const each = Math.round(rowsPerMegabyte * megabytes)
    for (let object = 0; object < objectsOf; object += 1) {
      yield* write(environment, storage, `${format}/${object}`, format, object * each, each)
    }
    const counts = { rows: objectsOf * each, good: objectsOf * each }
    contestants.push(
      { name: ours(label), ...counts, move: (table) => runPipe(environment, table, pipeOf(storage, format, format)) },
      {
        name: bare(label),
        ...counts,
        move: Effect.fnUntraced(function* (table) {
          const { accessKeyId, secretKey } = accessKey
          yield* environment.engine.run(`CREATE TABLE ${table} (${structure}) ENGINE = MergeTree ORDER BY id`)
          yield* environment.engine.run(`INSERT INTO ${table}
            SELECT * FROM s3('${storage.url}/${format}/{0..${objectsOf - 1}}', '${accessKeyId}', '${secretKey}', '${format}', '${structure.replaceAll("'", "\\'")}', 'none')`)
        })
      }
    )
  }
  return contestants
})

const smallContestants = Effect.fnUntraced(function* (environment: Environment, storage: Storage, count: number) {
  const text = (number: number) =>
    `{"id":${number},"user":"user-${number}","amount":${number}.25,"at":"2026-01-01 10:00:00.${100 + (number % 900)}","tags":[1,${number}]}\n`
  const lines = Array.from({ length: 3 * count }, (_, number) => text(number))
  const put = (key: string, body: string) =>
    Effect.promise(() => fetch(`${storage.url}/${key}`, { method: "PUT", body }))
  for (let object = 0; object < count; object += 1) {
    yield* put(`small/${object}`, lines.slice(3 * object, 3 * object + 3).join(""))
  }
  yield* put("whole/0", lines.join(""))
  const counts = { rows: 3 * count, good: 3 * count }
  return [
    { name: small, ...counts, move: (table) => runPipe(environment, table, pipeOf(storage, "small", "JSONEachRow")) },
    { name: whole, ...counts, move: (table) => runPipe(environment, table, pipeOf(storage, "whole", "JSONEachRow")) }
  ] satisfies ReadonlyArray<Contestant>
})

/** The share of a Parquet file that is sent for one of its columns, with little memory. */
const shareOfColumn = Effect.fnUntraced(function* (environment: Environment, storage: Storage, megabytes: number) {
  const { engine } = environment
  const rows = Math.round(5000 * megabytes)
  const key = "one/0"
  yield* engine.run(`INSERT INTO FUNCTION url('${storage.url}/${key}', 'Parquet', 'id UInt64, text String')
    SELECT number, randomPrintableASCII(240) FROM numbers(${rows})`)
  const keys = storage.hasKey ? `'${accessKey.accessKeyId}', '${accessKey.secretKey}'` : "NOSIGN"
  const size = Number(
    yield* engine.run(`SELECT any(_size) FROM s3('${storage.url}/${key}', ${keys}, 'One') FORMAT TSV`)
  )
  const before = yield* storage.bytesSent
  // The embedded engine keeps what is set for all statements that follow.
  yield* engine.run("SET max_memory_usage = 60000000")
  const table = `one_${storage.hasKey ? "key" : "public"}`
  yield* runPipe(environment, table, pipeOf(storage, "one", "Parquet", columns.slice(0, 1)))
  yield* engine.run("SET max_memory_usage = 0")
  const found = (yield* engine.run(`SELECT count(), uniqExact(id) FROM ${table} FORMAT TSV`)).trim()
  if (found !== `${rows}\t${rows}`) say(`${table}: ${found} rows and ids, in place of ${rows}`)
  return { size, share: ((yield* storage.bytesSent) - before) / size }
})

/** Measures the ways in turn, and prints what they cost and the targets. */
export const benchObjects = Effect.fnUntraced(function* (environment: Environment, rounds: number, size: number) {
  const storage = yield* startStorage()
  const count = Math.round(1000 * size)
  const megabytes = 100 * size
  const big = yield* measure(
    environment,
    `${objectsOf} objects of about ${megabytes} MB`,
    yield* bigContestants(environment, storage, megabytes),
    rounds
  )
  const few = yield* measure(
    environment,
    `${count} objects of 3 rows`,
    yield* smallContestants(environment, storage, count),
    rounds
  )
  const targets = Object.values(formats).map(({ label }) => rateTarget(big, ours(label), bare(label), 0.85, "CPU"))
  const shares = yield* Effect.forEach([storage, yield* startStorage(false)], (one) =>
    Effect.map(shareOfColumn(environment, one, megabytes), ({ share, size }) => ({
      what: `share of ${Math.round(size / 1e6)} MB of Parquet sent for one column, ${one.hasKey ? "with a key" : "public"}`,
      atMost: 0.1,
      measured: share
    }))
  )
  for (const line of targetTable([
    ...targets,
    { what: `${small} / ${whole}, CPU`, atMost: 20, measured: medianRatio(few, small, whole, cpuOf) },
    ...shares
  ]))
    say(line)
}, Effect.scoped)
