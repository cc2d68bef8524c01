// Writes ranges to the ledger of a build, in a process of its own: `root` is the checkout that was built. Sends how many ranges it has recorded
// and marked as done, in how many seconds, and the CPU time of this process.
import { join } from "node:path"
import { argv, cpuUsage } from "node:process"
import { pathToFileURL } from "node:url"

const [root = "", url = "", pipes = "1", partitions = "1", seconds = "1"] = argv.slice(2)

const adapter = "packages/sql-adapter"
const load = (path: string) => import(pathToFileURL(join(root, path)).href)
const loadEffect = (module: string) => load(`${adapter}/node_modules/effect/dist/${module}.js`)

const [{ SqlAdapter }, { SqlLedger }, { Ledger }] = await Promise.all([
  load(`${adapter}/dist/index.js`),
  load(`${adapter}/dist/mover/index.js`),
  load("packages/mover/dist/index.js")
])
const [Effect, Layer, Redacted, SqlClient] = await Promise.all(
  ["Effect", "Layer", "Redacted", "sql/SqlClient"].map(loadEffect)
)

const idOf = (number: number) => `b1be0000-0000-4000-8000-${String(number).padStart(12, "0")}`
const [organizationId, serviceId] = [idOf(0), idOf(0)]

const insertPipes = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO organization (id, name) VALUES (${organizationId}, 'x')`
  yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${serviceId}, ${organizationId}, 'x')`
  for (const id of ids) {
    yield* sql`
      INSERT INTO pipe (id, organization_id, service_id, document) VALUES (${id}, ${organizationId}, ${serviceId}, '{}')`
  }
})

const generation = { generation: 1, source: "topic", starts: new Map() }
const delivered = { rows: 1, rejected: 0, bytes: 1 }

const program = Effect.gen(function* () {
  const ledger = yield* Ledger
  const ids = Array.from({ length: Number(pipes) }, (_, index) => idOf(index + 1))
  yield* insertPipes(ids)
  const owners = yield* Effect.forEach(ids, (id: string) =>
    Effect.tap(ledger.take(id), (owner: unknown) => ledger.begin(owner, generation))
  )
  const writers: ReadonlyArray<{ readonly owner: { readonly pipeId: string }; readonly partition: string }> =
    owners.flatMap((owner: { readonly pipeId: string }) =>
      Array.from({ length: Number(partitions) }, (_, index) => ({ owner, partition: String(index) }))
    )
  let ranges = 0
  const writeFor = (time: number) => {
    const end = performance.now() + time
    return Effect.forEach(
      writers,
      Effect.fnUntraced(function* ({ owner, partition }: (typeof writers)[number]) {
        const { pipeId } = owner
        let from = (yield* ledger.state(pipeId)).recorded.get(partition) ?? "0"
        while (performance.now() < end) {
          const to = String(Number(from) + 1)
          const range = { pipeId, generation: 1, source: "topic", partition, from, to, detail: "detail", rows: 1 }
          yield* ledger.record(owner, range)
          yield* ledger.markDone(owner, range, delivered)
          ranges += 1
          from = to
        }
      }),
      { concurrency: "unbounded", discard: true }
    )
  }
  yield* writeFor(1000)
  ranges = 0
  const [start, before] = [performance.now(), cpuUsage()]
  yield* writeFor(Number(seconds) * 1000)
  const { system, user } = cpuUsage(before)
  return { ranges, seconds: (performance.now() - start) / 1000, cpu: (system + user) / 1000 }
})

const sealingKey = Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")
const store = SqlAdapter.layerPostgres({ url: Redacted.make(url), sealingKey })
const measured = await Effect.runPromise(Effect.provide(program, Layer.provideMerge(SqlLedger.layer, store)))
process.send?.(measured)
process.disconnect?.()
