import * as Context from "effect/Context"

/**
 * The id of the request being answered, a fresh UUID v4. The edge sets it; it goes into every envelope, every error of
 * the management API and the `x-request-id` header. Contract: section 2.1.
 */
export const RequestId = Context.Reference<string>("headgate-server/http/RequestId", {
  defaultValue: () => "00000000-0000-0000-0000-000000000000"
})
