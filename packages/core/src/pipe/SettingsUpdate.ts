import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import type { InvalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"
import type { PipeChange } from "./lifecycle.ts"
import { boundedInt } from "./ScalingUpdate.ts"
import type { Pipe } from "./Pipe.ts"
import { type Settings, settingsFields } from "./Settings.ts"

const gibibyte = 1024 ** 3

/** The fields of {@link SettingsUpdate}. */
const settingsUpdateFields = {
  ...settingsFields,
  db_max_download_threads: boundedInt(0, 32, "The maximum number of threads that download in parallel."),
  db_max_insert_threads: boundedInt(0, 16, "The maximum number of threads that insert in parallel."),
  db_max_threads: boundedInt(0, 64, "The maximum number of threads that process files in parallel."),
  db_min_insert_block_size_bytes: boundedInt(0, 10 * gibibyte, "The minimum size of an inserted block, in bytes."),
  db_parallel_distributed_insert_select: boundedInt(
    0,
    2,
    "The mode of a parallel distributed INSERT ... SELECT, as the database numbers it."
  ),
  object_storage_concurrency: boundedInt(1, 35, "The number of files that are processed in parallel."),
  object_storage_max_file_count: boundedInt(1, 10_000, "The maximum number of files in one insert."),
  object_storage_max_insert_bytes: boundedInt(
    500 * 1024 ** 2,
    10 * gibibyte,
    "The maximum size of one insert, in bytes."
  ),
  object_storage_polling_interval_ms: boundedInt(
    100,
    3_600_000,
    "The interval at which the pipe looks for new files, in milliseconds."
  ),
  streaming_max_insert_wait_ms: boundedInt(
    500,
    60_000,
    "The longest time that rows wait for an insert, in milliseconds."
  )
}

/**
 * The new settings of a pipe, which replace all present ones: a setting that is absent or `null` gets its default.
 * Contract: docs/wire-contract.md#change-a-pipes-state-size-and-settings; the bounds are those of the upstream service.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Changes one setting and keeps the others.
 * export const setThreads = Effect.fn("setThreads")(function* (address: PipeAddress, db_max_threads: number) {
 *   const pipes = yield* Pipes
 *   return yield* pipes.updateSettings(address, { ...(yield* pipes.settings(address)), db_max_threads })
 * })
 * ```
 */
export const SettingsUpdate = looseStruct(settingsUpdateFields).pipe(
  withIdentifier("SettingsUpdate", "The new settings of a pipe. What is absent or `null` gets its default.")
)
export type SettingsUpdate = typeof SettingsUpdate.Type

/**
 * The settings of a pipe as `Pipes.settings` returns them. Those of a Kafka pipe always tell `kafka_read_committed`: an
 * official client changes no settings of which it is missing.
 *
 * @example
 * ```ts
 * import { settingsOf } from "@headgate/core/adapter"
 *
 * console.log(settingsOf({ source: { kafka: {} }, settings: { db_max_threads: 4 } }))
 * // { kafka_read_committed: false, db_max_threads: 4 }
 * ```
 */
export const settingsOf = ({ settings, source }: Pick<Pipe, "settings" | "source">): Settings => ({
  ...(Predicate.isNotNullish(source?.kafka) ? { kafka_read_committed: false } : {}),
  ...settings
})

const validateSettings = validate(SettingsUpdate)

/** The change of a pipe to new settings. Fails with `InvalidRequest` if they are wrong. */
export const settingsChange = (request: SettingsUpdate): Effect.Effect<PipeChange, InvalidRequest> =>
  Effect.map(validateSettings(request), (update) => {
    const settings = Record.filter(update, Predicate.isNotNullish)
    return (record) => Result.succeed({ ...record, pipe: { ...record.pipe, settings } })
  })
