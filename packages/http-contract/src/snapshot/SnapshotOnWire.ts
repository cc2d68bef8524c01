import { snapshotOf } from "@headgate/core/snapshot"
import type { Dialect } from "../Dialect.ts"
import { pipeOnWire } from "../pipe/PipeOnWire.ts"

/**
 * The codec of a snapshot document whose pipes are written in a dialect: what `headgate-server --import` reads.
 *
 * @example
 * ```ts
 * import { dialects, snapshotOnWire } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const Text = Schema.fromJsonString(snapshotOnWire(dialects.clickhouse))
 * export const read = Schema.decodeUnknownEffect(Text, { errors: "all" })
 * export const write = Schema.encodeEffect(Text)
 * ```
 */
export const snapshotOnWire = (dialect: Dialect) => snapshotOf(pipeOnWire(dialect))
