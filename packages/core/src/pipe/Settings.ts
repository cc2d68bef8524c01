import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"

/**
 * The fields of {@link Settings}, to build the struct of a dialect, which renames those that begin with `db_`. Contract:
 * section 2.2.3.
 *
 * @example
 * ```ts
 * import { settingsFields } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * // The settings that a form may change.
 * const { db_max_insert_threads, db_max_threads } = settingsFields
 * const Threads = Schema.Struct({ db_max_insert_threads, db_max_threads })
 * const read = Schema.decodeUnknownSync(Threads, { onExcessProperty: "error" })
 *
 * console.log(read({ db_max_threads: 8 })) // { db_max_threads: 8 }
 * ```
 */
export const settingsFields = {
  db_max_download_threads: nullish(Schema.Int),
  db_max_insert_threads: nullish(Schema.Int),
  db_max_threads: nullish(Schema.Int),
  /** In bytes. */
  db_min_insert_block_size_bytes: nullish(Schema.Int),
  db_parallel_distributed_insert_select: nullish(Schema.Int),
  db_parallel_view_processing: nullish(Schema.Boolean),
  object_storage_concurrency: nullish(Schema.Int),
  /** In files. */
  object_storage_max_file_count: nullish(Schema.Int),
  /** In bytes. */
  object_storage_max_insert_bytes: nullish(Schema.Int),
  /** In milliseconds. */
  object_storage_polling_interval_ms: nullish(Schema.Int),
  object_storage_use_cluster_function: nullish(Schema.Boolean),
  /** In milliseconds. */
  streaming_max_insert_wait_ms: nullish(Schema.Int)
}

/**
 * The settings of a pipe, with the neutral names (`db_...`) in every dialect. The unit is in the name: `_bytes`, `_ms`,
 * `_count`, `_threads`. Contract: section 2.2.3.
 */
export const Settings = looseStruct(settingsFields).pipe(withIdentifier("Settings"))
export type Settings = typeof Settings.Type
