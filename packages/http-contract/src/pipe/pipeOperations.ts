import { PipeAddress } from "@headgate/core/pipe"
import type { Pipe } from "@headgate/core/pipe"
import * as Schema from "effect/Schema"
import type { Dialect } from "../Dialect.ts"
import { readNothing, readResult } from "../Envelope.ts"
import { noPayload, type Operation } from "../Operation.ts"
import { pipeOnWire } from "./PipeOnWire.ts"

const pathOf = ({ pipeIdParameter, pipesSegment }: Dialect) =>
  `/v1/organizations/:organizationId/services/:serviceId/${pipesSegment}/:${pipeIdParameter}` as const

/** Inside, the parameter is `pipeId` in every dialect; on the wire it has the dialect's name. */
const paramsOf = ({ pipeIdParameter }: Dialect) => PipeAddress.pipe(Schema.encodeKeys({ pipeId: pipeIdParameter }))

/**
 * The pipe operations, `get` and `delete`, in a dialect, as plain data. Contract: section 4.1 (read) and section 1
 * (delete).
 *
 * @example
 * ```ts
 * import { clickhouse } from "@headgate/http-contract"
 * import { pipeOperations } from "@headgate/http-contract/pipe"
 *
 * // What a recorded answer holds, without a client.
 * export const read = (body: unknown) => pipeOperations(clickhouse).get.read(body)
 * ```
 */
export const pipeOperations = (dialect: Dialect) => {
  const path = pathOf(dialect)
  const params = paramsOf(dialect)
  return {
    get: {
      method: "GET",
      path,
      permission: "pipe:read",
      params,
      payload: noPayload,
      read: readResult(pipeOnWire(dialect))
    } satisfies Operation<PipeAddress, undefined, Pipe>,
    delete: {
      method: "DELETE",
      path,
      permission: "pipe:delete",
      params,
      payload: noPayload,
      read: readNothing
    } satisfies Operation<PipeAddress, undefined, void>
  }
}
