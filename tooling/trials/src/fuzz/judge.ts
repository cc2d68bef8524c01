import type { WireAnswer } from "../http/AnswerReader.ts"
import { shapeFault } from "../http/answerShape.ts"
import { type ApiName, apiOf, type Operation } from "../http/operations.ts"
import type { Outcome } from "../http/WireConnection.ts"
import type { WireRequest } from "./wireRequest.ts"

/** What can be wrong with an answer, as the figures count it. */
export type FaultKind = "5xx" | "shape" | "silence"

export interface Fault {
  readonly kind: FaultKind
  readonly text: string
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The path as any router could read it: decoded and without doubled slashes. */
const routed = (target: string): string => decoded(target.replace(/[?#].*$/s, "")).replace(/\/+/g, "/")

// Where the host ends is read in more than one way when it is misspelt.
const isAbsolute = (target: string): boolean => /^[a-z]+:/i.test(target)

// Given before anybody has read the target, or because nobody could: then either shape will do.
const unrouted = [404, 408, 431]

/** The APIs in whose shape a request may be answered. */
const apisOf = ({ isHttp, target }: WireRequest, status: number): ReadonlyArray<ApiName> =>
  isHttp && !isAbsolute(target) && !unrouted.includes(status)
    ? [apiOf(routed(target))]
    : ["management", "observability"]

const shape = (request: WireRequest, answer: WireAnswer, operations: ReadonlyArray<Operation>): string | undefined => {
  const method = request.method === "HEAD" ? "GET" : request.method
  const faults = apisOf(request, answer.status).flatMap((api) => {
    const candidates = operations.filter((operation) => operation.api === api && operation.method === method)
    return [undefined, ...candidates].map((operation) => shapeFault({ method: request.method, api, operation }, answer))
  })
  return faults.includes(undefined) ? undefined : faults.at(-1)
}

/** What is wrong with what came back, if anything is. */
export const judge = (
  request: WireRequest,
  outcome: Outcome,
  operations: ReadonlyArray<Operation>
): Fault | undefined => {
  if ("silence" in outcome) return { kind: "silence", text: outcome.silence }
  if (outcome.status >= 500) return { kind: "5xx", text: `${outcome.status} ${outcome.body.toString("utf8")}` }
  const text = shape(request, outcome, operations)
  return text === undefined
    ? undefined
    : { kind: "shape", text: `${outcome.status} ${outcome.body.toString("utf8").slice(0, 300)}: ${text}` }
}
