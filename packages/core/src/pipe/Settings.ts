import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"

/**
 * The fields of {@link Settings}. They stand apart because a dialect renames those that begin with `db_` at the edge,
 * and builds its own struct from them. Contract: section 2.2.3.
 *
 * @example
 * ```ts
 * import { settingsFields } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * // What a form of yours may set, and nothing else.
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
 * The settings of a pipe, under their neutral names (`db_...`), whatever the dialect spells on the wire. Contract:
 * section 2.2.3. The unit is in the name: `_bytes`, `_ms`, `_count`, `_threads`.
 */
export const Settings = looseStruct(settingsFields).pipe(withIdentifier("Settings"))
export type Settings = typeof Settings.Type
