import { PipeId } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { Ledger, type MoveOptions, movePipe, type MoverStatus, Source, Warehouse } from "../src/index.ts"
import { MemoryLedger, MemorySource, MemoryWarehouse, type MemoryWarehouseOptions } from "../src/memory/index.ts"

export const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-000000000001")

/** A pipe over memory, and its options, whose reports are kept. */
export const makePipe = (
  options: {
    readonly warehouse?: MemoryWarehouseOptions
    readonly partitions?: ReadonlyArray<string>
    readonly start?: "earliest" | "latest"
    readonly move?: Partial<MoveOptions>
  } = {}
) => {
  const { partitions, start = "earliest" } = options
  const source = MemorySource.make({ start, ...(partitions === undefined ? {} : { partitions }) })
  const warehouse = MemoryWarehouse.make(options.warehouse)
  const ledger = MemoryLedger.make()
  const reports: Array<MoverStatus> = []
  const move: MoveOptions = {
    pipeId,
    limits: { rows: 10, bytes: 1000, wait: Duration.seconds(1) },
    inFlight: 2,
    partsPerInsert: 1,
    pipesOnTable: 1,
    report: (status) =>
      Effect.sync(() => {
        reports.push(status)
      }),
    ...options.move
  }
  const layer = Layer.mergeAll(
    Layer.succeed(Source, source.source),
    Layer.succeed(Warehouse, warehouse.warehouse),
    Layer.succeed(Ledger, ledger.ledger)
  )
  return { source, warehouse, ledger, reports, move, layer }
}
export type Pipe = ReturnType<typeof makePipe>

/** Moves all that the source holds, and returns how the mover ended. */
export const moveAll = Effect.fnUntraced(function* (pipe: Pipe, layer: Pipe["layer"] = pipe.layer) {
  yield* pipe.source.end
  const fiber = yield* Effect.forkChild(Effect.provide(movePipe(pipe.move), layer))
  yield* TestClock.adjust("1 hour")
  return yield* Fiber.join(fiber)
})

/** `count` different rows. */
export const numbered = (count: number, first = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `row ${first + index}`)

/** The texts of rows, in their order. */
export const textsOf = (rows: ReadonlyArray<{ readonly text: string }>): ReadonlyArray<string> =>
  rows.map(({ text }) => text)
