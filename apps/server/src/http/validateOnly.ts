import { IdempotentCreations } from "@headgate/core/adapter"
import { type AnyOperation, isChange, isCreation } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type HttpProblem, portProblem } from "./HttpProblem.ts"
import { JsonText } from "./envelope.ts"
import type { RunHandler } from "./idempotency.ts"

const refused = (message: string): HttpProblem => ({ code: "BAD_REQUEST", message: `validateOnly: ${message}` })

const malformed = refused("Expected true or false, once")
const notOfCreations = refused("Expected none: this operation is no creation, and changes at once")
const notInGateway = refused("Expected none: a gateway creates at another service, which may not know it")

/** The values of `validateOnly` in the query of a URL. */
const valuesIn = (url: string): ReadonlyArray<string> => {
  const start = url.indexOf("?")
  return start === -1 ? [] : new URLSearchParams(url.slice(start + 1)).getAll("validateOnly")
}

/** No resource: neither an id, which nothing would have, nor a secret. */
const nothing = new JsonText("{}")

/**
 * Runs the handlers of an operation as `run` does. With `validateOnly=true` in the query of a creation, the store runs it without its
 * write, and an `Idempotency-Key` is ignored. An operation that writes and cannot only be validated refuses it.
 */
export const validateOnlyOf = (operation: AnyOperation, run: RunHandler): RunHandler => {
  if (!isChange(operation) && !isCreation(operation)) return run
  return (request, caller, handled) => {
    const [value, ...others] = valuesIn(request.url)
    if (value === undefined) return run(request, caller, handled)
    if (!operation.canValidateOnly) return Effect.fail(notOfCreations)
    if (others.length > 0 || !["true", "false"].includes(value)) return Effect.fail(malformed)
    if (value === "false") return run(request, caller, handled)
    return Effect.contextWith((context: Context.Context<never>) =>
      Option.match(Context.getOption(context, IdempotentCreations), {
        onNone: () => Effect.fail(notInGateway),
        onSome: ({ validateOnly }) => Effect.mapError(Effect.as(validateOnly(handled), nothing), portProblem)
      })
    )
  }
}
