import { Organizations, type Whoami } from "@headgate/core"
import { permissionsOf, type Principal } from "@headgate/core/adapter"
import type { Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { handlersOf } from "../http/handlersOf.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/** The operations on organizations. In a gateway, too, they answer from the store: the keys are its own. */
export const organizationHandlers = (table: Operations["organization"]) =>
  Effect.map(Organizations, (organizations): Handlers<typeof table> => {
    const own = ({ organizationId }: Principal) => organizations.get({ organizationId })
    const whoami = Effect.fnUntraced(function* (principal: Principal) {
      const organization = yield* own(principal)
      const permissions = permissionsOf(principal)
      if (principal._tag !== "KeyPrincipal") return { organization, permissions }
      const { keyId, keyName, roles } = principal
      const caller: Whoami = { organization, key: { id: keyId, name: keyName }, roles, permissions }
      return caller
    })
    return {
      ...handlersOf(table, () => organizations),
      list: ({ principal }) => Effect.map(own(principal), (organization) => [organization]),
      whoami: ({ principal }) => whoami(principal)
    }
  })
