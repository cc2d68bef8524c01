import { OrganizationDashboards } from "@headgate/core/dashboard"
import { type Api, CurrentPrincipal } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { observabilityDocument } from "../http/envelope.ts"
import { dashboardTexts } from "./dashboardTexts.ts"

/** The dashboard operations, on the dashboards of the token's organization. Contract: sections 4.3 and 4.4. */
export const layer = (api: Api) =>
  HttpApiBuilder.group(api, "dashboard", (handlers) =>
    Effect.gen(function* () {
      const dashboards = yield* OrganizationDashboards
      const textsOf = yield* dashboardTexts
      const organization = Effect.map(CurrentPrincipal, ({ organizationId }) => organizationId)
      return handlers.handleAll({
        create: ({ payload }) =>
          observabilityDocument(
            Effect.flatMap(organization, (id) => dashboards.of(id).create(payload)).pipe(
              Effect.map((dashboard) => JSON.stringify(dashboard))
            )
          ),
        list: () =>
          observabilityDocument(Effect.map(Effect.flatMap(organization, textsOf), (texts) => `[${texts.join(",")}]`))
      })
    })
  )
