import { errorStatuses, ManagementErrorBody, ObservabilityErrorBody } from "@headgate/http-contract"
import * as Schema from "effect/Schema"
import type { WireAnswer } from "./AnswerReader.ts"
import type { ApiName, Operation } from "./operations.ts"

/** What was asked, as far as the shape of its answer depends on it. */
export interface Asked {
  readonly method: string
  readonly api: ApiName
  /** The operation that method and path name, if they name one. */
  readonly operation: Operation | undefined
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The body as JSON; `undefined` when it is none. */
export const jsonOf = ({ body }: WireAnswer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}

const codesByStatus: ReadonlyMap<number, string> = new Map([
  ...Object.entries(errorStatuses).map(([code, status]) => [status, code] as const),
  // What came too slowly or too large to be a request at all.
  [408, "BAD_REQUEST"],
  [431, "BAD_REQUEST"]
])

const isManagementError = Schema.is(ManagementErrorBody)
const isObservabilityError = Schema.is(ObservabilityErrorBody)

const keysOf = (body: object) => Object.keys(body).join(" ")

const managementErrorFault = (status: number, requestId: string, body: unknown): string | undefined => {
  if (!isManagementError(body)) return "the body is no error of the management API"
  if (keysOf(body) !== "status error requestId") return `the error has the fields ${keysOf(body)}`
  if (body.status !== status) return `the error says status ${body.status}`
  if (body.requestId !== requestId) return "the error has another request id than the header"
  const code = codesByStatus.get(status)
  return body.error.startsWith(`${code}: `) && body.error.length > `${code}: `.length
    ? undefined
    : `the error is not "${code}: ..."`
}

const observabilityErrorFault = (body: unknown): string | undefined => {
  if (!isObservabilityError(body)) return "the body is no error of the observability API"
  if (keysOf(body) !== "message") return `the error has the fields ${keysOf(body)}`
  return body.message === "" ? "the message is empty" : undefined
}

const successFault = ({ api, operation }: Asked, status: number, requestId: string, body: unknown) => {
  if (operation === undefined) return "nothing in the contract answers this with a success"
  const fault = operation.faultOf(status, body)
  if (fault !== undefined || api === "observability") return fault
  const said = typeof body === "object" && body !== null && "requestId" in body ? body.requestId : undefined
  return said === requestId ? undefined : "the envelope has another request id than the header"
}

const challenges: { readonly [Name in ApiName]: string } = { management: "Basic ", observability: "Bearer " }

const headerFault = ({ api }: Asked, { headers, status }: WireAnswer): string | undefined => {
  const challenge = headers.get("www-authenticate")
  if (status === 401 && !challenge?.startsWith(challenges[api])) return `401 with the challenge ${challenge}`
  if (status !== 401 && challenge !== undefined) return `${status} with a challenge`
  if (status === 405 && !headers.get("allow")) return "405 without Allow"
  return status === 429 && !headers.get("retry-after") ? "429 without Retry-After" : undefined
}

/**
 * What is wrong with an answer, whatever was asked: a status that is not documented, a body that has not the shape of
 * its API, a request id or a header that is missing. `undefined` when it is as documented.
 */
export const shapeFault = (asked: Asked, answer: WireAnswer): string | undefined => {
  const { headers, status } = answer
  const requestId = headers.get("x-request-id")
  if (requestId === undefined || !uuidV4.test(requestId)) return `x-request-id is ${requestId}`
  if (status !== 200 && !codesByStatus.has(status)) return `${status} is in no list of statuses`
  const fault = headerFault(asked, answer)
  if (fault !== undefined) return fault
  if (!headers.get("content-type")?.startsWith("application/json")) return `it is ${headers.get("content-type")}`
  if (asked.method === "HEAD") return answer.body.length === 0 ? undefined : "HEAD with a body"
  const body = jsonOf(answer)
  if (status === 200) return successFault(asked, status, requestId, body)
  return asked.api === "management" ? managementErrorFault(status, requestId, body) : observabilityErrorFault(body)
}
