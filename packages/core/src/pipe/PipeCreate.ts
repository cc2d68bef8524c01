import * as Schema from "effect/Schema"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { pipeFields } from "./Pipe.ts"
import { PipeSourceCreate } from "./PipeSource.ts"
import { ScalingUpdate } from "./ScalingUpdate.ts"
import { SettingsUpdate } from "./SettingsUpdate.ts"

/** The fields of {@link PipeCreate}. Contract: docs/wire-contract.md#create-a-pipe. */
const pipeCreateFields = {
  name: Schema.String.annotate({ description: "The name of the pipe: 1 to 255 characters." }),
  source: PipeSourceCreate.annotateKey({ description: "Where the pipe reads its data: exactly one kind of source." }),
  destination: pipeFields.destination,
  fieldMappings: pipeFields.fieldMappings,
  scaling: nullish(ScalingUpdate, "The number and size of the replicas."),
  settings: nullish(SettingsUpdate, "The settings that tune how the pipe reads and inserts."),
  startPaused: nullish(
    Schema.Boolean,
    "Whether the pipe does not run at first: a pipe of a stream or of files ends in `Stopped`, one of a database in `Paused`."
  )
}

/**
 * The request for a new pipe: its name, exactly one kind of source with the credentials that the source needs, and where its
 * rows go. A client checks the types alone; a service also checks the values, the bounds and what depends on other fields, and
 * names each wrong field. Unknown fields are kept.
 *
 * @example
 * ```ts
 * import type { PipeCreate } from "@headgate/core"
 * import * as Redacted from "effect/Redacted"
 *
 * export const request: PipeCreate = {
 *   name: "orders",
 *   source: {
 *     kafka: {
 *       type: "confluent",
 *       format: "JSONEachRow",
 *       brokers: "broker.example.com:9092",
 *       topics: "orders",
 *       authentication: "PLAIN",
 *       credentials: Redacted.make({ username: "headgate", password: "secret" })
 *     }
 *   },
 *   destination: { database: "analytics", table: "orders", managedTable: true, columns: [{ name: "id", type: "UInt64" }] }
 * }
 * ```
 */
export const PipeCreate = looseStruct(pipeCreateFields).pipe(
  withIdentifier("PipeCreate", "The request for a new pipe.")
)
export type PipeCreate = typeof PipeCreate.Type
