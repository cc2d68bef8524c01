import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { createKey } from "./createKey.ts"

/** The operations on API keys over the `ApiKeys` port. Contract: section 4.2. */
export const layer = (api: Api) =>
  HttpApiBuilder.group(api, "key", (handlers) =>
    Effect.map(createKey, (create) =>
      handlers.handleAll({
        create: ({ params, payload }) => create(params.organizationId, payload)
      })
    )
  )
