import * as Schema from "effect/Schema"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"

/**
 * The fields of {@link Settings}. They stand apart because a dialect renames those that begin with `db_` at the edge,
 * and builds its own struct from them. Contract: section 2.2.3.
 *
 * @example
 * ```ts
 * import { settingsFields } from "@headgate/core/pipe"
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
  db_max_download_threads: absentOrNull(Schema.Int),
  db_max_insert_threads: absentOrNull(Schema.Int),
  db_max_threads: absentOrNull(Schema.Int),
  /** In bytes. */
  db_min_insert_block_size_bytes: absentOrNull(Schema.Int),
  db_parallel_distributed_insert_select: absentOrNull(Schema.Int),
  db_parallel_view_processing: absentOrNull(Schema.Boolean),
  object_storage_concurrency: absentOrNull(Schema.Int),
  /** In files. */
  object_storage_max_file_count: absentOrNull(Schema.Int),
  /** In bytes. */
  object_storage_max_insert_bytes: absentOrNull(Schema.Int),
  /** In milliseconds. */
  object_storage_polling_interval_ms: absentOrNull(Schema.Int),
  object_storage_use_cluster_function: absentOrNull(Schema.Boolean),
  /** In milliseconds. */
  streaming_max_insert_wait_ms: absentOrNull(Schema.Int)
}

/**
 * The settings of a pipe, under their neutral names (`db_...`), whatever the dialect spells on the wire. Contract:
 * section 2.2.3. The unit is in the name: `_bytes`, `_ms`, `_count`, `_threads`.
 */
export const Settings = openStruct(settingsFields).pipe(identified("Settings"))
/** What {@link Settings} decodes to. */
export type Settings = typeof Settings.Type
