// A mover of `trial:store`: the loop of a server over a Postgres, with the source and the warehouse of the trial.
import { startMover } from "@headgate/harness/startMover"
import { MemoryVersionedTables, MemoryWarehouse } from "@headgate/mover/memory"
import { VersionedTables, Warehouse, WarehouseError } from "@headgate/mover"
import type { Connectors, WarehouseEngine } from "@headgate/mover-runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { parseArgs } from "node:util"
import type { LoggedAnswer, WarehouseRequest } from "./CountedWarehouse.ts"
import { type Arrivals, makeClockSource } from "./clockSource.ts"

const options = {
  "database-url": { type: "string" },
  warehouse: { type: "string" },
  arrivals: { type: "string" },
  end: { type: "string" }
} as const

const { values } = parseArgs({ options })
const { arrivals = "", end = "", warehouse: url = "", "database-url": databaseUrl = "" } = values

const ask = (request: WarehouseRequest): Effect.Effect<LoggedAnswer, WarehouseError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, { method: "POST", body: JSON.stringify(request), signal })
      return (await response.json()) as LoggedAnswer
    },
    catch: (cause) => new WarehouseError({ message: String(cause) })
  })

/** What these pipes do not need is that of a warehouse in memory. */
const warehouse: Warehouse["Service"] = {
  ...MemoryWarehouse.make().warehouse,
  open: () => Effect.succeed({ guarantee: "exactly once" }),
  insert: Effect.fnUntraced(function* ({ pipeId }, _, token, rows) {
    const texts = (yield* Stream.runCollect(rows)).map((row) => Buffer.from(row).toString("utf8"))
    yield* ask({ call: "insert", pipeId, token, rows: texts })
    return { unknownFields: new Map(), rejected: [] }
  }),
  takeOver: () => Effect.void,
  log: ({ generation, pipeId, to }) => Effect.asVoid(ask({ call: "log", pipeId, generation, to: Number(to) })),
  logged: Effect.fnUntraced(function* (pipeId) {
    const { generation, to } = yield* ask({ call: "logged", pipeId })
    return { generation, positions: new Map(generation === 0 ? [] : [["0", String(to)]]) }
  })
}

const engine: WarehouseEngine = {
  database: "default",
  errorTableOf: (table) => `${table}_errors`,
  warehouse: () => Layer.succeed(Warehouse, warehouse),
  versionedTables: () => Layer.succeed(VersionedTables, MemoryVersionedTables.make().tables),
  findTables: (names) => Effect.succeed(names.map((name) => ({ name, creator: undefined }))),
  checkDestination: () => Effect.void,
  checkObjectReading: () => Effect.void,
  inferColumns: () => Effect.succeed({ columns: [], samples: [] }),
  describeObject: () => Effect.succeed({ columns: [], samples: [] }),
  rejectedRows: () => Effect.succeed([]),
  dropStagings: () => Effect.void
}

const readArrivals: (text: string) => Arrivals = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ begin: Schema.Finite, every: Schema.Finite, rowsEach: Schema.Finite }))
)
const readerOf = makeClockSource(readArrivals(arrivals), end)

const connectors: Connectors = {
  kinesis: {
    load: () => Promise.resolve({ _tag: "Ranges", configure: ({ pipeId }) => Effect.sync(() => readerOf(pipeId)) })
  }
}

const program = Effect.gen(function* () {
  yield* startMover({ url: Redacted.make(databaseUrl), connections: 10, connectors, engine })
  console.log("listening on nothing")
  yield* Effect.callback<void>((resume) => {
    process.once("SIGTERM", () => resume(Effect.void))
  })
}).pipe(Effect.scoped)

await Effect.runPromise(program)
process.exit()
