import { ApiKeyCreate, type OrganizationId } from "@headgate/core"
import { type Api, RequiredPermission } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { plainBasic } from "../access/plainCredentials.ts"
import { type DirectOperation, uuidInPath } from "../http/Direct.ts"
import { templateOf } from "../http/RouteTemplates.ts"
import { saysJson, withPayload } from "../http/requestBody.ts"
import { sentHeaders } from "../http/requestUrl.ts"
import { createKey } from "./createKey.ts"

const path = new RegExp(`^/v1/organizations/${uuidInPath}/keys$`)
const withRequest = withPayload(ApiKeyCreate)

/** The creation of a key, answered straight away. Contract: section 4.2. */
export const directKey = (api: Api) =>
  Effect.map(createKey, (create): DirectOperation => {
    const { annotations, path: declared } = api.groups.key.endpoints.create
    const permission = Context.getOption(annotations, RequiredPermission)
    const route = templateOf(declared)
    return (request) => {
      const found = request.method === "POST" && saysJson(request) ? path.exec(request.url) : null
      const presented = found === null ? undefined : plainBasic(sentHeaders(request).authorization)
      if (found === null || presented === undefined) return undefined
      const organizationId = found[1] as OrganizationId // the pattern is that of the id's schema
      return {
        presented,
        errand: { organizationId, permission },
        route,
        answer: () => withRequest(request, (payload) => create(organizationId, payload))
      }
    }
  })
