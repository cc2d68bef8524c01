import * as Predicate from "effect/Predicate"
import type { HttpClientErrorReason } from "effect/http/HttpClientError"

/** Why a request never left, where the runtime tells. */
export interface Unsent {
  /** What to say after the runtime's own words. */
  readonly advice: string
  /** Whether a repeat would fail in the same way. */
  readonly permanent: boolean
}

// Nobody listens there, the name has no address or not now, no connection in time. Each may pass.
const unreached: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

// What Node says of a certificate that it does not take, from OpenSSL's X509_V_ERR_* and its own check of the name.
// https://nodejs.org/api/tls.html#x509-certificate-error-codes
const untrusted: ReadonlySet<string> = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])

const maxDepth = 8

/** What lies at the bottom of an error: fetch and effect wrap what the socket said. */
export const innermost = (cause: unknown, depth = 0): unknown =>
  depth < maxDepth && Predicate.hasProperty(cause, "cause") && Predicate.isNotNullish(cause.cause)
    ? innermost(cause.cause, depth + 1)
    : cause

/**
 * Tells whether a client failed before anything of the request could reach the service. `undefined`: it may have. A
 * browser does not tell why a fetch failed, so there nothing is known to be unsent.
 */
export const whyUnsent = (reason: HttpClientErrorReason): Unsent | undefined => {
  if (reason._tag === "EncodeError" || reason._tag === "InvalidUrlError") {
    return { advice: "; nothing was sent", permanent: true }
  }
  const cause = innermost(reason.cause)
  if (!Predicate.hasProperty(cause, "code") || !Predicate.isString(cause.code)) return undefined
  if (unreached.has(cause.code)) return { advice: "; nothing was sent", permanent: false }
  return untrusted.has(cause.code)
    ? { advice: "; nothing was sent, since its certificate is not to be trusted: check the base URL", permanent: true }
    : undefined
}
