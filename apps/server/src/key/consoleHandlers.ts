import { ConsoleSessions } from "@headgate/core/adapter"
import type { Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { calledBy } from "../access/calledBy.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/**
 * The operations on the console's sessions over the `ConsoleSessions` port, each for the key that calls.
 * Contract: docs/wire-contract.md#the-console.
 */
export const consoleHandlers = Effect.map(ConsoleSessions, (sessions): Handlers<Operations["console"]> => ({
  createSession: ({ params, principal }) => calledBy(principal)(sessions.createSession(params)),
  createCode: ({ params, principal }) => calledBy(principal)(sessions.createCode(params))
}))
