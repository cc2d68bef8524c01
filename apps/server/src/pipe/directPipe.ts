import type { PipeAddress } from "@headgate/core"
import { type Api, type Dialect, RequiredPermission } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { plainBasic } from "../access/plainCredentials.ts"
import { type DirectOperation, uuidInPath } from "../http/Direct.ts"
import { templateOf } from "../http/RouteTemplates.ts"
import { managementDocument } from "../http/envelope.ts"
import { sentHeaders } from "../http/requestUrl.ts"
import { pipeTexts } from "./pipeTexts.ts"

/** The read of a pipe, answered straight away. Contract: section 4.1. */
export const directPipe = Effect.fnUntraced(function* (api: Api, dialect: Dialect) {
  const textOf = yield* pipeTexts(dialect)
  const { annotations, path: declared } = api.groups.pipe.endpoints.get
  const permission = Context.getOption(annotations, RequiredPermission)
  const route = templateOf(declared)
  const path = new RegExp(
    `^/v1/organizations/${uuidInPath}/services/${uuidInPath}/${dialect.pipesSegment}/${uuidInPath}$`
  )
  const operation: DirectOperation = (request) => {
    const found = request.method === "GET" ? path.exec(request.url) : null
    const presented = found === null ? undefined : plainBasic(sentHeaders(request).authorization)
    if (found === null || presented === undefined) return undefined
    const [, organizationId, serviceId, pipeId] = found
    const address = { organizationId, serviceId, pipeId } as PipeAddress // the pattern is that of the ids' schema
    return {
      presented,
      errand: { organizationId, permission },
      route,
      answer: () => managementDocument(textOf(address))
    }
  }
  return operation
})
