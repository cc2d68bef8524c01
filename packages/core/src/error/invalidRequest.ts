import { InvalidRequest } from "./CallError.ts"
import type { CallFields } from "./CallFields.ts"
import { type FieldIssue, formatFieldIssues } from "./FieldIssue.ts"

/**
 * The `InvalidRequest` of whoever checks before anything is done: its message names every bad field. `fields` are what
 * else is known of the call, such as `attempts: 0` where it would have gone over a network.
 *
 * @example
 * ```ts
 * import { invalidRequest } from "@headgate/core/error"
 *
 * const error = invalidRequest([{ path: "name", message: "Expected 1 to 255 characters" }])
 * console.log(error.message) // name: Expected 1 to 255 characters
 * ```
 */
export const invalidRequest = (
  issues: ReadonlyArray<FieldIssue>,
  fields: Omit<CallFields, "message"> = {}
): InvalidRequest => new InvalidRequest({ ...fields, message: formatFieldIssues(issues), issues })
