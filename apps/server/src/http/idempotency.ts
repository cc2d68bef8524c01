import { type PortError, versionOf } from "@headgate/core"
import { type CreationAnswer, IdempotentCreations, jsonEncoder, type Principal } from "@headgate/core/adapter"
import { type AnyOperation, isCreation } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type HttpProblem, portProblem } from "./HttpProblem.ts"
import { JsonText } from "./envelope.ts"
import { bodyText } from "./requestBody.ts"
import { nodeHeaders } from "./requestUrl.ts"

/**
 * What the header `Idempotency-Key-Retention` of the answers to a URL says; `undefined`: they have none, since no answer is kept.
 * A gateway answers what its upstream does.
 */
export const KeyRetention = Context.Reference<(url: string) => string | undefined>(
  "headgate-server/http/KeyRetention",
  {
    defaultValue: () => () => String(IdempotentCreations.retention)
  }
)

/** The `Idempotency-Key` of the request, where no store keeps answers: a gateway passes it to its upstream. */
export const RequestIdempotencyKey = Context.Reference<string | undefined>(
  "headgate-server/http/RequestIdempotencyKey",
  { defaultValue: () => undefined }
)

const malformed: HttpProblem = {
  code: "BAD_REQUEST",
  message: "idempotency-key: Expected 1 to 255 visible characters"
}

const callerOf = (principal: Principal): string =>
  principal._tag === "KeyPrincipal" ? `key ${principal.keyId}` : `token ${principal.tokenId}`

/** Who calls an operation on what. */
interface Caller {
  readonly principal: Principal
  readonly params: unknown
}

/** Runs the handler of an operation, and gives its result to be answered. */
export type RunHandler = (
  request: HttpServerRequest,
  caller: Caller,
  handled: Effect.Effect<unknown, PortError>
) => Effect.Effect<unknown, HttpProblem>

const once: RunHandler = (_request, _caller, handled) => Effect.mapErrorEager(handled, portProblem)

/** How the handler of an operation is run under the `Idempotency-Key` of its request: a creation that is repeated creates once. */
export const idempotencyOf = (operation: AnyOperation): RunHandler => {
  if (!isCreation(operation)) return once
  const encode = jsonEncoder(operation.success)

  const answerOf = (value: unknown): Effect.Effect<CreationAnswer> => {
    const [text, version] =
      value instanceof JsonText
        ? [Effect.succeed(value.text), value.version]
        : [encode(value), Predicate.isObject(value) ? versionOf(value) : undefined]
    return Effect.map(text, (text) => (version === undefined ? { text } : { text, version }))
  }

  return (request, caller, handled) => {
    const key = nodeHeaders(request)["idempotency-key"]
    if (key === undefined) return once(request, caller, handled)
    if (Array.isArray(key) || !/^[\x21-\x7e]{1,255}$/.test(key)) return Effect.fail(malformed)
    return Effect.contextWith((context: Context.Context<never>) => {
      const creations = Option.getOrUndefined(Context.getOption(context, IdempotentCreations))
      if (creations === undefined) {
        return once(request, caller, Effect.provideService(handled, RequestIdempotencyKey, key))
      }
      const { organizationId } = caller.principal
      const scope = `${callerOf(caller.principal)} ${operation.method} ${operation.path} ${JSON.stringify(caller.params)}`
      return Effect.flatMap(bodyText(request), (body) =>
        creations.once({ organizationId, scope, key, body }, Effect.flatMap(handled, answerOf)).pipe(
          Effect.map(({ text, version }) => new JsonText(text, version)),
          Effect.mapError((error): HttpProblem => {
            if (error._tag === "KeyReused") return { code: "UNPROCESSABLE_ENTITY", message: error.message }
            return error._tag === "KeyInFlight"
              ? { code: "CONFLICT", message: error.message, headers: { "retry-after": "1" } }
              : portProblem(error)
          })
        )
      )
    })
  }
}
