import * as Predicate from "effect/Predicate"
import { StartupError } from "../startup/StartupError.ts"

const reason = (cause: unknown): string => (Predicate.isError(cause) ? cause.message : String(cause))

const isTaken = (cause: unknown): boolean => Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"

/** Why a socket could not be opened. */
export const listenFailure = (host: string, port: number, cause: unknown): StartupError =>
  new StartupError({
    message: isTaken(cause)
      ? `another program listens on ${host}, port ${port}: pass another --port`
      : `could not listen on ${host}, port ${port}: ${reason(cause)}`
  })
