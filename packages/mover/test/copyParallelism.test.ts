import { assert, it } from "@effect/vitest"
import { MemoryLedger, MemoryVersionedTables } from "../src/memory/index.ts"
import { lawPipeId } from "../src/laws/index.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ChangeSource, copyPipe, type CopyOptions, Ledger, type SourceTable, VersionedTables } from "../src/index.ts"

const parts = ["0", "1", "2", "3"]
const tables = ["a", "b", "c"].map((name): SourceTable => ({
  name,
  target: name,
  columns: [{ name: "id", type: "Int32" }],
  key: ["id"]
}))
const encoder = new TextEncoder()

/** Copies three tables of four parts. Returns the most parts, parts of one table and tables that were read at the same time. */
const mostAtOnce = Effect.fnUntraced(function* (options: Partial<CopyOptions>) {
  const reading: Array<string> = []
  const most = { parts: 0, ofOneTable: 0, tables: 0 }
  const read = (table: SourceTable, part: string) =>
    Stream.fromEffect(
      Effect.acquireUseRelease(
        Effect.sync(() => {
          reading.push(table.name)
          const counts = tables.map(({ name }) => reading.filter((one) => one === name).length)
          most.parts = Math.max(most.parts, reading.length)
          most.ofOneTable = Math.max(most.ofOneTable, ...counts)
          most.tables = Math.max(most.tables, counts.filter((count) => count > 0).length)
        }),
        // Whatever may be read at the same time is being read by then.
        () => Effect.as(Effect.sleep("50 millis"), encoder.encode(`${part}\t0\t0\n`)),
        () => Effect.sync(() => void reading.splice(reading.indexOf(table.name), 1))
      )
    )
  const source: ChangeSource["Service"] = {
    mode: "snapshot",
    identity: Effect.succeed("s"),
    tables: Effect.succeed(tables),
    begin: Effect.succeed("0"),
    resume: () => Effect.void,
    check: () => Effect.succeed([]),
    split: () => Effect.succeed(parts),
    snapshot: Effect.succeed({ read, readRejected: () => Stream.empty }),
    follow: () => Effect.die("a snapshot is not followed")
  }
  const memory = MemoryVersionedTables.make()
  const { _tag } = yield* copyPipe({
    pipeId: lawPipeId,
    limits: { rows: 10, bytes: 1000, wait: Duration.seconds(1) },
    inFlight: 4,
    report: () => Effect.void,
    ...options
  }).pipe(
    Effect.provideService(ChangeSource, source),
    Effect.provideService(VersionedTables, memory.tables),
    Effect.provideService(Ledger, MemoryLedger.make().ledger)
  )
  assert.strictEqual(_tag, "Completed")
  for (const { target } of tables) assert.deepStrictEqual(yield* memory.rows(target), parts)
  return most
})

it.live("a snapshot reads as many parts and tables at the same time as the options say", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* mostAtOnce({ partsAtOnce: 1, tablesAtOnce: 1 }), {
      parts: 1,
      ofOneTable: 1,
      tables: 1
    })
    assert.deepStrictEqual(yield* mostAtOnce({ partsAtOnce: 1, tablesAtOnce: 2 }), {
      parts: 2,
      ofOneTable: 1,
      tables: 2
    })
    assert.deepStrictEqual(yield* mostAtOnce({ partsAtOnce: 3, tablesAtOnce: 1 }), {
      parts: 3,
      ofOneTable: 3,
      tables: 1
    })
    const { ofOneTable, parts } = yield* mostAtOnce({})
    assert.deepStrictEqual([parts, ofOneTable > 1], [4, true])
  })
)
