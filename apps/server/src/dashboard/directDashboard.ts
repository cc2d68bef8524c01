import { DashboardCreate } from "@headgate/core"
import { type Api, RequiredPermission } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { plainBearer } from "../access/plainCredentials.ts"
import type { DirectOperation } from "../http/Direct.ts"
import { templateOf } from "../http/RouteTemplates.ts"
import { saysJson, withPayload } from "../http/requestBody.ts"
import { sentHeaders } from "../http/requestUrl.ts"
import { createDashboard } from "./createDashboard.ts"

const withRequest = withPayload(DashboardCreate)

/** The creation of a dashboard, answered straight away. Contract: section 4.3. */
export const directDashboard = (api: Api) =>
  Effect.map(createDashboard, (create): DirectOperation => {
    const { annotations, path } = api.groups.dashboard.endpoints.create
    const permission = Context.getOption(annotations, RequiredPermission)
    const route = templateOf(path)
    return (request) => {
      if (request.method !== "POST" || request.url !== path || !saysJson(request)) return undefined
      const presented = plainBearer(sentHeaders(request).authorization)
      return presented === undefined
        ? undefined
        : {
            presented,
            errand: { organizationId: undefined, permission },
            route,
            answer: ({ organizationId }) => withRequest(request, (payload) => create(organizationId, payload))
          }
    }
  })
