import { ConnectionError, UnexpectedResponse } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Predicate from "effect/Predicate"
import { ambiguityNote, type Attempt, type AttemptFailure, type Call, errorContext } from "../Attempt.ts"
import { withCause } from "../ConnectionCause.ts"
import { oneLine, type Redactor } from "../ErrorAnswer.ts"
import { defaultMaxResponseBytes, type Transport, type TransportFailure } from "../Transport.ts"

/** A request or an answer that was lost. */
type Lost = Extract<TransportFailure, { readonly _tag: "Lost" }>

/** Why a request was not sent, if the runtime says so. */
interface Unsent {
  /** What the error says after that nothing was sent. */
  readonly hint?: string
  /** Whether a retry would fail in the same way. */
  readonly isPermanent: boolean
}

// Connection refused, a name without an address, or no connection in time. A retry may succeed.
const unreached: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"])

// Node's codes for a certificate that it rejects: OpenSSL's X509_V_ERR_* and its own check of the host name.
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

/** The innermost cause of an error: fetch and effect wrap the error of the socket. */
const innermost = (cause: unknown, depth = 0): unknown =>
  depth < maxDepth && Predicate.hasProperty(cause, "cause") && Predicate.isNotNullish(cause.cause)
    ? innermost(cause.cause, depth + 1)
    : cause

const messageOf = (cause: unknown): string | undefined =>
  Predicate.hasProperty(cause, "message") && Predicate.isString(cause.message) && cause.message !== ""
    ? cause.message
    : Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code)
      ? cause.code
      : undefined

/**
 * Whether a client failed before any part of the request could reach the service; `undefined` if it may have. A browser
 * does not say why a fetch failed, so there the answer is always `undefined`.
 */
const whyUnsent = (lost: Lost): Unsent | undefined => {
  if (lost.isInvalid === true) return { isPermanent: true }
  const cause = innermost(lost.cause)
  // fetch of Node does not give a 407 to its caller: this message is all there is.
  if (messageOf(cause) === "proxy authentication required") {
    return { hint: ", since the proxy wants credentials of its own", isPermanent: true }
  }
  if (!Predicate.hasProperty(cause, "code") || !Predicate.isString(cause.code)) return undefined
  if (unreached.has(cause.code)) return { isPermanent: false }
  return untrusted.has(cause.code)
    ? {
        hint: ", since its certificate is not to be trusted: check the base URL; on Node, NODE_EXTRA_CA_CERTS names a file of more authorities",
        isPermanent: true
      }
    : undefined
}

/**
 * What OpenSSL says, without line numbers of its source. An error of reading has it as `reason`, an error of writing only in
 * its message: `write EPROTO 40A7:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/...`.
 */
const openSslReason = (cause: unknown): string | undefined => {
  const reason =
    Predicate.hasProperty(cause, "library") && Predicate.hasProperty(cause, "reason")
      ? cause.reason
      : /:SSL routines:[^:]*:([^:]+)/.exec(messageOf(cause) ?? "")?.[1]
  return Predicate.isString(reason) ? `TLS: ${reason}` : undefined
}

/** The `code` of an error of the runtime, such as `ECONNRESET`. */
const codeOf = (cause: unknown): { readonly code?: string } =>
  Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) && /^[A-Z][A-Z0-9_]*$/.test(cause.code)
    ? { code: cause.code }
    : {}

/** What an error says of a request that was not sent: an earlier attempt may have been. */
const unsentNote = (call: Call): string => {
  if (MutableRef.get(call.attempts) === 1) return "; nothing was sent"
  return `; the last attempt sent nothing${call.requestPolicy.retryCreates ? ambiguityNote(call) : ""}`
}

const lostAnswer = (call: Call, lost: Lost, redact: Redactor): AttemptFailure => {
  // Only the message of the client's error is used: the error holds the request, which holds the credentials.
  const innermostCause = innermost(lost.cause)
  const message = oneLine(
    openSslReason(innermostCause) ?? messageOf(innermostCause) ?? lost.description ?? "the connection was lost",
    redact
  )
  const cause = Object.assign(new Error(message), codeOf(innermostCause))
  const unsent = whyUnsent(lost)
  const note = unsent === undefined ? ambiguityNote(call) : unsentNote(call) + (unsent.hint ?? "")
  return {
    error: withCause(
      new ConnectionError({ message: `no answer from the service: ${message}${note}`, ...errorContext(call) }),
      cause
    ),
    isPermanent: unsent?.isPermanent ?? false
  }
}

const tooLarge = (call: Call, status: number, maxBytes: number): AttemptFailure => ({
  error: new UnexpectedResponse({
    message: `the answer is larger than ${formatBytes(maxBytes)}${ambiguityNote(call)}`,
    status,
    ...errorContext(call)
  })
})

const mebibyte = 1024 * 1024

/** Formats a size for an error: `64 MiB`, `1000 bytes`. */
const formatBytes = (bytes: number): string => (bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`)

/**
 * The innermost layer: sends a call once and reads its answer to the end. What is lost becomes `ConnectionError`, an answer above
 * the limit `UnexpectedResponse`; every status is an answer.
 */
export const sendOnce =
  (redact: Redactor, maxBytes = defaultMaxResponseBytes) =>
  (transport: Transport): Attempt =>
  (call) =>
    Effect.suspend(() => {
      MutableRef.increment(call.attempts)
      return Effect.mapError(transport(call.request, maxBytes), (failure) =>
        failure._tag === "TooLarge" ? tooLarge(call, failure.status, maxBytes) : lostAnswer(call, failure, redact)
      )
    })
