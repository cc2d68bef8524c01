import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"

/** The fields of {@link Settings}. A dialect renames those that begin with `db_`. Contract: docs/wire-contract.md#settings. */
export const settingsFields = {
  db_max_download_threads: nullish(Schema.Int, "The maximum number of threads that download in parallel."),
  db_max_insert_threads: nullish(Schema.Int, "The maximum number of threads that insert in parallel."),
  db_max_threads: nullish(Schema.Int, "The maximum number of threads that process files in parallel."),
  db_min_insert_block_size_bytes: nullish(Schema.Int, "The minimum size of an inserted block, in bytes."),
  db_parallel_distributed_insert_select: nullish(
    Schema.Int,
    "The mode of a parallel distributed INSERT ... SELECT, as the database numbers it."
  ),
  db_parallel_view_processing: nullish(Schema.Boolean, "Whether inserts go to the attached views in parallel."),
  kafka_read_committed: nullish(
    Schema.Boolean,
    "Whether a pipe from a message broker reads only messages of committed transactions."
  ),
  object_storage_concurrency: nullish(Schema.Int, "The number of files that are processed in parallel."),
  object_storage_max_file_count: nullish(Schema.Int, "The maximum number of files in one insert."),
  object_storage_max_insert_bytes: nullish(Schema.Int, "The maximum size of one insert, in bytes."),
  object_storage_polling_interval_ms: nullish(
    Schema.Int,
    "The interval at which the pipe looks for new files, in milliseconds."
  ),
  object_storage_use_cluster_function: nullish(Schema.Boolean, "Whether all nodes of the cluster process the files."),
  streaming_max_insert_wait_ms: nullish(Schema.Int, "The longest time that rows wait for an insert, in milliseconds.")
}

/**
 * The settings of a pipe, with the neutral names (`db_...`) in every dialect. Contract: docs/wire-contract.md#settings.
 */
export const Settings = looseStruct(settingsFields).pipe(
  withIdentifier("Settings", "The settings of a pipe. The unit is in the name.")
)
export type Settings = typeof Settings.Type
