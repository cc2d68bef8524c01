import { CallingKey, type Principal } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"

/** Tells a store which key makes the call. */
export const calledBy = (principal: Principal) =>
  Effect.provideService(CallingKey, principal._tag === "KeyPrincipal" ? principal.keyId : undefined)
