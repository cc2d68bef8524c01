import * as Effect from "effect/Effect"
import { FailedDependency } from "../error/CallError.ts"
import type { PipeAddress } from "../id/pipe.ts"
import type { PipeRecord } from "./lifecycle.ts"
import { beforePage, type BeforeQuery, mostListed } from "./PipeEvent.ts"
import { noWarehouse, PipeMover } from "./PipeMover.ts"

/**
 * The rejected rows of a pipe, the newest first, as its mover reads them from the warehouse. A simulated pipe has none. Every adapter that
 * stores pipes calls it. Fails with `InvalidRequest` for a wrong query, and with `FailedDependency` if the warehouse of the pipe is not
 * served here, or does not answer.
 */
const read = Effect.fnUntraced(function* (address: PipeAddress, record: PipeRecord, query: BeforeQuery) {
  const page = yield* beforePage(query, mostListed.errors, { pattern: /^\d{1,15}-\d{1,20}$/, of: "a rejected row" })
  const { warehouse } = record
  if (warehouse === undefined) return []
  const { rejectedRows, warehouses } = yield* PipeMover
  if (!warehouses.has(warehouse)) return yield* new FailedDependency({ message: noWarehouse(warehouse) })
  return yield* rejectedRows(address, record, page)
})

/**
 * The rows that destinations did not take, for an adapter that stores pipes: the method `Pipes.errors`, once the pipe is found.
 *
 * @example
 * ```ts
 * import type { PipeAddress } from "@headgate/core"
 * import { type PipeRecord, rejectedRows } from "@headgate/core/adapter"
 *
 * export const newest = (address: PipeAddress, held: PipeRecord) => rejectedRows.read(address, held, { limit: 10 })
 * ```
 */
export const rejectedRows = { read }
