import { type Api, CurrentPrincipal } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { observabilityDocument } from "../http/envelope.ts"
import { createDashboard } from "./createDashboard.ts"
import { dashboardTexts } from "./dashboardTexts.ts"

/** The dashboard operations, on the dashboards of the token's organization. Contract: sections 4.3 and 4.4. */
export const layer = (api: Api) =>
  HttpApiBuilder.group(api, "dashboard", (handlers) =>
    Effect.gen(function* () {
      const create = yield* createDashboard
      const textsOf = yield* dashboardTexts
      return handlers.handleAll({
        create: ({ payload }) =>
          Effect.flatMap(CurrentPrincipal, ({ organizationId }) => create(organizationId, payload)),
        list: () =>
          Effect.flatMap(CurrentPrincipal, ({ organizationId }) =>
            observabilityDocument(Effect.map(textsOf(organizationId), (texts) => `[${texts.join(",")}]`))
          )
      })
    })
  )
