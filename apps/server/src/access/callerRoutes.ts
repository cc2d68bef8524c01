import { OrganizationId } from "@headgate/core"
import { noPayload, type Operation } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Handlers } from "../http/operationRoutes.ts"

/** The caller of the observability API. The service has users; here a token stands for one, and its organization for the team. */
const Caller = Schema.Struct({
  version: Schema.Literal("v2"),
  user: Schema.Struct({ _id: Schema.String, team: OrganizationId })
})
type Caller = typeof Caller.Type

/** `GET /api/v2`, which the service answers and does not document: it is in no OpenAPI document. */
export const callerOperations = {
  get: {
    api: "observability",
    method: "GET",
    path: "/api/v2",
    permission: "dashboard:read",
    params: Schema.Struct({}),
    payload: noPayload,
    success: Caller,
    envelope: "none",
    errors: [],
    isRepeatable: true,
    stability: "beta",
    summary: "Read who the caller is"
  } satisfies Operation<{}, undefined, Caller>
} as const

/** Answers from the credentials alone. */
export const callerHandlers: Handlers<typeof callerOperations> = {
  get: ({ principal }) =>
    Effect.succeed({
      version: "v2",
      user: {
        _id: principal._tag === "TokenPrincipal" ? principal.tokenId : principal.keyId,
        team: principal.organizationId
      }
    })
}
