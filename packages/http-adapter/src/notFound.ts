import type { CallError, PortError } from "@headgate/core"
import { type CallFields, type NotFound, notFound, type NotFoundParams } from "@headgate/core/adapter"
import * as Struct from "effect/Struct"

// The first attempt of a retried delete may have deleted it.
const deletedNote = ({ attempts = 0, method }: CallError): string =>
  method === "DELETE" && attempts > 1 ? "; an earlier attempt, whose answer was lost, may have deleted it" : ""

// The message of the service stays, unless it says the same: a 404 may also come from a wrong base URL.
const fieldsOf =
  (error: CallError) =>
  (summary: string): CallFields => ({
    ...Struct.pick(error, ["status", "requestId", "method", "path", "attempts"]),
    message: `${summary}${error.message.endsWith(`: ${summary}`) ? "" : ` (${error.message})`}${deletedNote(error)}`
  })

/** The "not found" error of an operation for a 404, and every other error as it is. */
export const orNotFound =
  <Tag extends NotFound["_tag"]>(tag: Tag | undefined, params: NotFoundParams[Tag]) =>
  (error: CallError): PortError =>
    tag !== undefined && error._tag === "UnexpectedResponse" && error.status === 404
      ? notFound(tag, params, fieldsOf(error))
      : error
