import type { PipeAddress } from "@headgate/core/pipe"
import { type Api, type Dialect, RequiredPermission } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Guard } from "../access/Guard.ts"
import { plainBasic } from "../access/plainBasic.ts"
import { managementDocument } from "../http/envelope.ts"
import type { Handled } from "../http/Handled.ts"
import { pipeTexts } from "./pipeTexts.ts"

const uuid = "([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"

/** Reads the address off a path that is spelled as clients spell it: no query, no escapes, no trailing slash. */
const addressIn = ({ pipesSegment }: Dialect) => {
  const path = new RegExp(`^/v1/organizations/${uuid}/services/${uuid}/${pipesSegment}/${uuid}$`)
  return (url: string): PipeAddress | undefined => {
    const found = path.exec(url)
    if (found === null) return undefined
    const [, organizationId, serviceId, pipeId] = found
    return { organizationId, serviceId, pipeId } as PipeAddress // the pattern is that of the ids' schema
  }
}

/**
 * Answers the read of a pipe straight away, by the same guard and the same handler as the route: what a server is asked
 * most often does without the router, and without decoding a path that has just been recognized. What is spelled in any
 * other way goes on to the route, which is what holds. `docs/adr/0013-documents-as-text.md` has the measurements.
 */
export const directRead = Effect.fnUntraced(function* (api: Api, dialect: Dialect) {
  const { admit, turnAway } = yield* Guard
  const textOf = yield* pipeTexts(dialect)
  const permission = Context.getOption(api.groups.pipe.endpoints.get.annotations, RequiredPermission)
  const addressOf = addressIn(dialect)
  return (httpEffect: Handled): Handled =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const address = request.method === "GET" ? addressOf(request.url) : undefined
      const presented = address === undefined ? undefined : plainBasic(request.headers.authorization)
      if (address === undefined || presented === undefined) return httpEffect
      return Effect.matchEffect(admit(presented, { organizationId: address.organizationId, permission }), {
        onFailure: turnAway,
        onSuccess: ({ headers }) => {
          const answer = managementDocument(textOf(address))
          return headers === undefined ? answer : Effect.map(answer, HttpServerResponse.setHeaders(headers))
        }
      })
    })
})
