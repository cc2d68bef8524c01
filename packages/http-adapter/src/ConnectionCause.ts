import type { ConnectionError } from "@headgate/core"

const causes = new WeakMap<ConnectionError, Error>()

/** Keeps why a connection failed. The error itself is plain data, which a store or a log may encode. */
export const withCause = (error: ConnectionError, cause: Error): ConnectionError => {
  causes.set(error, cause)
  return error
}

/**
 * Why a connection failed: an error with the message of the runtime and, where there is one, its `code`, such as
 * `ECONNREFUSED`. `undefined` if the circuit breaker is why. It holds no credential.
 *
 * @example
 * ```ts
 * import { type PipeAddress, Pipes } from "@headgate/core"
 * import { connectionCause } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const stateOf = (address: PipeAddress) =>
 *   Pipes.use((pipes) => pipes.get(address)).pipe(
 *     Effect.tapErrorTag("ConnectionError", (error) => Effect.logError(error.message, connectionCause(error)))
 *   )
 * ```
 */
export const connectionCause = (error: ConnectionError): (Error & { readonly code?: string }) | undefined =>
  causes.get(error)
