import { OrganizationDashboards } from "@headgate/core/dashboard"
import { type Api, CurrentPrincipal } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { observabilityAnswer } from "../http/envelope.ts"

/** The dashboard operations, on the dashboards of the token's organization. Contract: sections 4.3 and 4.4. */
export const layer = (api: Api) =>
  HttpApiBuilder.group(api, "dashboard", (handlers) =>
    Effect.map(OrganizationDashboards, (dashboards) => {
      const own = Effect.map(CurrentPrincipal, (principal) => dashboards.of(principal.organizationId))
      return handlers.handleAll({
        create: ({ payload }) => observabilityAnswer(Effect.flatMap(own, ({ create }) => create(payload))),
        list: () => observabilityAnswer(Effect.flatMap(own, ({ list }) => list))
      })
    })
  )
