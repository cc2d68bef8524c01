import { snapshotOf } from "@headgate/core/adapter"
import type { Dialect } from "../Dialect.ts"
import { pipeCodec } from "../pipe/pipeCodec.ts"

/**
 * The codec of a snapshot in a dialect. `headgate-server --import` reads it.
 *
 * @example
 * ```ts
 * import { dialects, snapshotCodec } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * const Text = Schema.fromJsonString(snapshotCodec(dialects.clickhouse))
 * export const read = Schema.decodeUnknownEffect(Text, { errors: "all" })
 * export const write = Schema.encodeEffect(Text)
 * ```
 */
export const snapshotCodec = (dialect: Dialect) => snapshotOf(pipeCodec(dialect))
