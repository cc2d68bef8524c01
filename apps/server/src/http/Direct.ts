import type { Principal } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Errand, Guard, type Presented } from "../access/Guard.ts"
import { CurrentExchange, type Handled } from "./RequestLog.ts"

/** One request for an operation, in the words of the operation. */
export interface Asked {
  readonly presented: Presented
  readonly errand: Errand
  /** The operation's path, as metrics name it. */
  readonly route: string
  /** What the operation answers to a caller who was let in. */
  readonly answer: (principal: Principal) => Handled
}

/** Recognizes a request that asks for an operation as clients ask for it; `undefined` for any other. */
export type DirectOperation = (request: HttpServerRequest.HttpServerRequest) => Asked | undefined

/** A UUID in a path, as the ids' schema takes it. */
export const uuidInPath = "([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"

/**
 * Answers operations straight away, by the same guard and the same handlers as their routes: what is asked over and over
 * does without the router, and without a second look at a path that has just been recognized. Whatever is spelled in any
 * other way (a query, an escape, another content type) goes on to the route, which is what holds.
 * `docs/adr/0013-answered-straight-away.md` tells what it saves.
 */
export const direct = (operations: ReadonlyArray<DirectOperation>) =>
  Effect.map(Guard, ({ admit, turnAway }) => {
    const asked = (request: HttpServerRequest.HttpServerRequest): Asked | undefined => {
      for (const operation of operations) {
        const found = operation(request)
        if (found !== undefined) return found
      }
      return undefined
    }
    return (httpEffect: Handled): Handled =>
      HttpServerRequest.HttpServerRequest.use((request): Handled => {
        const found = asked(request)
        if (found === undefined) return httpEffect
        return CurrentExchange.use(({ route }) => {
          MutableRef.set(route, found.route)
          const answering = Effect.matchEffect(admit(request, found.presented, found.errand), {
            onFailure: turnAway,
            onSuccess: ({ headers, principal }) => {
              const answer = found.answer(principal)
              return headers === undefined ? answer : Effect.map(answer, HttpServerResponse.setHeaders(headers))
            }
          })
          // As a route is: what stands around the routes does not end when its caller hangs up.
          return Effect.interruptible(answering)
        })
      })
  })
