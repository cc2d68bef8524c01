import { ApiKeys } from "@headgate/core/key"
import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { managementAnswer } from "../http/envelope.ts"

/** The operations on API keys over the `ApiKeys` port. Contract: section 4.2. */
export const layer = (api: Api) =>
  HttpApiBuilder.group(api, "key", (handlers) =>
    Effect.map(ApiKeys, (keys) =>
      handlers.handleAll({
        create: ({ params, payload }) =>
          managementAnswer(Effect.map(keys.create(params.organizationId, payload), (result) => ({ result })))
      })
    )
  )
