import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Warehouse } from "../port/Warehouse.ts"
import { resumeBy } from "../range/Decision.ts"
import { RejectionChanged, WarehouseRefused } from "../range/MoveError.ts"
import { Range, type RejectedRows } from "../range/Range.ts"
import { insertBlocks, type MemoryWarehouseState, useToken } from "./MemoryWarehouseState.ts"

const decoder = new TextDecoder()

/** The rows of a statement: those that it takes, and those that it rejects. */
const readRows = Effect.fnUntraced(function* <E>(
  state: MemoryWarehouseState,
  rows: Stream.Stream<Uint8Array, E>,
  recorded?: RejectedRows
) {
  const texts = (yield* Stream.runCollect(rows)).map((row) => decoder.decode(row))
  state.statements += 1
  const known = new Set(recorded?.rows)
  const rejected = texts.flatMap((text, row) => {
    const reason = state.options.rejects?.(text) ?? (known.has(row) ? "rejected before" : undefined)
    return reason === undefined ? [] : [{ row, reason }]
  })
  const left = new Set(rejected.map(({ row }) => row))
  return { texts: texts.filter((_, row) => !left.has(row)), rejected }
})

/** The methods of a warehouse in memory about its table and its error table. */
export const memoryRows = (state: MemoryWarehouseState) => {
  const { data, options } = state
  return {
    open: (_, needed, known) =>
      Effect.suspend(() => {
        if (options.window !== undefined && options.window < needed) {
          const message = `the table remembers ${options.window} inserts and ${needed} are needed: ALTER TABLE ... MODIFY SETTING non_replicated_deduplication_window = ${needed}`
          return Effect.fail(new WarehouseRefused({ message }))
        }
        state.window = Math.max(state.window, needed)
        const found = String(data.table)
        if (known !== undefined && (known.get("table") ?? found) !== found) {
          return Effect.fail(
            new WarehouseRefused({ message: `the table is another one: ${resumeBy({ acceptTable: true })}` })
          )
        }
        return Effect.succeed({
          guarantee: "exactly once",
          ...options.destination,
          tables: new Map([["table", found]])
        })
      }),
    insert: Effect.fn("MemoryWarehouse.insert")(function* (_, range, token, rows, { record, recorded }) {
      const { rejected, texts } = yield* readRows(state, rows, recorded)
      const checkedBy = options.checkedBy?.() ?? "memory"
      const other = rejected.find(({ row }) => recorded?.rows.includes(row) === false)
      if (other !== undefined && recorded?.checkedBy !== checkedBy) {
        return yield* new RejectionChanged({ range: Range.describe(range), reason: other.reason })
      }
      if (rejected.length > (recorded?.rows.length ?? 0)) {
        yield* record({ rows: rejected.map(({ row }) => row), checkedBy })
      }
      yield* insertBlocks(state, range, token, texts)
      return { unknownFields: new Map(), rejected }
    }),
    insertRejected: Effect.fn("MemoryWarehouse.insertRejected")(function* (_, token, rows) {
      const collected = yield* Stream.runCollect(rows)
      state.statements += 1
      if (useToken(state, token)) data.rejectedRows = [...data.rejectedRows, ...collected]
    })
  } satisfies Partial<Warehouse["Service"]>
}
