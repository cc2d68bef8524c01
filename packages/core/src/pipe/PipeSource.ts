import * as Predicate from "effect/Predicate"
import { absentOrNull, identified, openStruct } from "../schema/OpenStruct.ts"
import { KafkaSource } from "./KafkaSource.ts"
import { KinesisSource } from "./KinesisSource.ts"
import { ObjectStorageSource } from "./ObjectStorageSource.ts"
import { PostgresSource } from "./PostgresSource.ts"

/** The kinds of source that the contract shows, in its order. Contract: section 2.2.4. */
export const pipeSourceKinds = ["kafka", "kinesis", "objectStorage", "postgres"] as const

/** A kind of source, or `none` or `several` where a pipe does not have exactly one. */
export type PipeSourceKind = (typeof pipeSourceKinds)[number] | "none" | "several"

const schema = openStruct({
  kafka: absentOrNull(KafkaSource),
  kinesis: absentOrNull(KinesisSource),
  objectStorage: absentOrNull(ObjectStorageSource),
  postgres: absentOrNull(PostgresSource)
}).pipe(identified("PipeSource"))

const kind = (source: PipeSource | null | undefined): PipeSourceKind => {
  const present = pipeSourceKinds.filter((member) => Predicate.isNotNullish(source?.[member]))
  return present.length > 1 ? "several" : (present[0] ?? "none")
}

/**
 * Where a pipe reads from: one member for each kind of source. A reader tolerates none or several, since the contract
 * (section 2.2.4) shows no rule that links them; `PipeSource.kind` tells which one applies.
 *
 * @example
 * ```ts
 * import { PipeSource } from "@headgate/core/pipe"
 *
 * console.log(PipeSource.kind({ kafka: { topics: "orders" } })) // kafka
 * console.log(PipeSource.kind(null)) // none
 * console.log(PipeSource.kind({ kafka: {}, kinesis: {} })) // several
 * ```
 */
export const PipeSource = Object.assign(schema, { kind })
/** What {@link PipeSource} decodes to. */
export type PipeSource = typeof schema.Type
