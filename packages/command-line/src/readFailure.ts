import type { PlatformError } from "effect/PlatformError"
import * as Predicate from "effect/Predicate"

/** Why a file could not be read, in a few words. The message of the error itself names modules of effect. */
export const readFailure = ({ message, reason }: PlatformError): string => {
  if (reason._tag === "NotFound") return "there is no such file"
  if (reason._tag === "PermissionDenied") return "permission denied"
  if (Predicate.isError(reason.cause) && reason.cause.message.startsWith("EISDIR")) return "it is a directory"
  return Predicate.isError(reason.cause) ? reason.cause.message : message
}
