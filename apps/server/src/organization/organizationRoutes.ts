import { Organizations, type Whoami } from "@headgate/core"
import type { Principal } from "@headgate/core/adapter"
import type { organizationOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on organizations. In a gateway, too, they answer from the store: the keys are its own. */
export const organizationHandlers = Effect.gen(function* () {
  const organizations = yield* Organizations

  const whoami = Effect.fnUntraced(function* (principal: Principal) {
    const organization = yield* organizations.get({ organizationId: principal.organizationId })
    if (principal._tag !== "KeyPrincipal") return { organization }
    const { keyId, keyName, roles } = principal
    const caller: Whoami = { organization, key: { id: keyId, name: keyName }, roles }
    return caller
  })

  const handlers: Handlers<ReturnType<typeof organizationOperations>> = {
    list: ({ principal }) =>
      Effect.map(organizations.get({ organizationId: principal.organizationId }), (own) => [own]),
    get: ({ params }) => organizations.get({ organizationId: params.organizationId }),
    whoami: ({ principal }) => whoami(principal)
  }
  return handlers
})
