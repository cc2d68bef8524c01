import { errorStatuses, ManagementErrorBody, ObservabilityErrorBody } from "@headgate/http-contract"
import * as Schema from "effect/Schema"
import { parseJson } from "./JsonClient.ts"
import type { WireAnswer } from "./WireConnection.ts"
import type { ApiName, ContractOperation } from "./contractOperations.ts"

/** The request, as far as the shape of its answer depends on it. */
export interface Requested {
  readonly method: string
  readonly api: ApiName
  /** The operation that method and path name, if any. */
  readonly operation: ContractOperation | undefined
  /** The Authorization header, if there is one. */
  readonly authorization?: string | undefined
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The body as JSON; `undefined` if it is none. */
export const jsonOf = ({ body }: WireAnswer): any => parseJson(body.toString("utf8"))

const codesByStatus: ReadonlyMap<number, string> = new Map(
  Object.entries(errorStatuses).map(([code, status]) => [status, code] as const)
)

const isManagementError = Schema.is(ManagementErrorBody)
const isObservabilityError = Schema.is(ObservabilityErrorBody)

const managementErrorFault = (status: number, requestId: string, body: unknown): string | undefined => {
  if (!isManagementError(body)) return "the body is not an error of the management API"
  const fields = Object.keys(body).join(" ")
  if (fields !== "status error requestId") return `the error has the fields ${fields}`
  if (body.status !== status) return `the error has status ${body.status}`
  if (body.requestId !== requestId) return "the error and the header have different request ids"
  const start = `${codesByStatus.get(status)}: `
  return body.error.startsWith(start) && body.error.length > start.length ? undefined : `the error is not "${start}..."`
}

const observabilityErrorFault = (body: unknown): string | undefined => {
  if (!isObservabilityError(body)) return "the body is not an error of the observability API"
  const fields = Object.keys(body).join(" ")
  if (fields !== "message") return `the error has the fields ${fields}`
  return body.message === "" ? "the message is empty" : undefined
}

const successFault = ({ api, operation }: Requested, requestId: string, body: any): string | undefined => {
  if (operation === undefined) return "no operation of the contract answers this request with a success"
  const fault = operation.faultOf(body)
  if (fault !== undefined || api === "observability") return fault
  return body.requestId === requestId ? undefined : "the envelope and the header have different request ids"
}

const challenges: { readonly [Name in ApiName]: string } = { management: "Basic ", observability: "Bearer " }

// A browser opens its own password box for a challenge of Basic: a caller with a session of the console gets none.
const challengeOf = ({ api, authorization = "" }: Requested): string =>
  authorization.startsWith("Bearer hgs_") ? "Bearer " : challenges[api]

const headerFault = (requested: Requested, { headers, status }: WireAnswer): string | undefined => {
  const challenge = headers.get("www-authenticate")
  if (status === 401 && !challenge?.startsWith(challengeOf(requested))) return `401 with the challenge ${challenge}`
  if (status !== 401 && challenge !== undefined) return `${status} with a challenge`
  if (status === 405 && headers.get("allow") === undefined) return "405 without Allow"
  if (status === 429 && !headers.get("retry-after")) return "429 without Retry-After"
  const type = headers.get("content-type")
  return type?.startsWith("application/json") ? undefined : `the content type is ${type}`
}

/**
 * What is wrong with an answer, whatever was requested: an undocumented status, a body that has not the shape of its
 * API, a missing request id or header. `undefined` if it is as documented.
 */
export const shapeFault = (requested: Requested, answer: WireAnswer): string | undefined => {
  const { headers, status } = answer
  const requestId = headers.get("x-request-id")
  if (requestId === undefined || !uuidV4.test(requestId)) return `x-request-id is ${requestId}`
  if (status === 304 && requested.operation?.isConditional) {
    return answer.body.length === 0 && headers.get("etag") !== undefined
      ? undefined
      : "304 with a body, or without an ETag"
  }
  if (status !== 200 && !codesByStatus.has(status)) return `${status} is not a documented status`
  const fault = headerFault(requested, answer)
  if (fault !== undefined) return fault
  if (requested.method === "HEAD") return answer.body.length === 0 ? undefined : "HEAD with a body"
  const body = jsonOf(answer)
  if (status === 200) return successFault(requested, requestId, body)
  return requested.api === "management" ? managementErrorFault(status, requestId, body) : observabilityErrorFault(body)
}
