import type { Outcome } from "@headgate/harness/WireConnection"
import { shapeFault } from "@headgate/harness/answerShape"
import { type ApiName, apiOf, type ContractOperation } from "@headgate/harness/contractOperations"
import { type Draft, pathOfTarget } from "./Draft.ts"

export type FaultKind = "5xx" | "shape" | "silence"

/** What is wrong with an answer. */
export interface Fault {
  readonly kind: FaultKind
  readonly text: string
}

const unescaped = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What the parser of Node takes for the target: it passes over spaces between the method and the target. */
const readTarget = (target: string): string => target.replace(/^ +/, "")

// A server reads an absolute target as a browser does: `http:///host` names a host and no path.
const pathOf = (written: string): string => {
  const target = readTarget(written)
  return /^[a-z]+:/i.test(target) && URL.canParse(target) ? new URL(target).pathname : pathOfTarget(target)
}

/** The path as the server routes it: without escapes. Of several slashes each counts: such a path is of no API. */
const plainPath = (target: string): string => unescaped(pathOf(target))

// Answered before the target was read, or because it could not be: either API's shape is right.
const unrouted = [404, 408, 431]

const apisOf = ({ isHttp, target }: Draft, status: number): ReadonlyArray<ApiName> => {
  const isAbsolute = /^[a-z]+:/i.test(readTarget(target))
  if (!isHttp || isAbsolute || unrouted.includes(status)) return ["management", "observability"]
  return [apiOf(plainPath(target))]
}

const serverPaths = ["", "/", "/api/v2", "/api/v2/", "/console", "/docs", "/openapi.json", "/healthz", "/readyz"]

/** Whether a request names a route of the server that is not of the contract: it changes nothing. */
export const isOutsideContract = ({ target }: Draft): boolean => serverPaths.includes(plainPath(target))

const names = ({ path }: ContractOperation, target: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`, "i").test(target)

/** Judges the answer to a mutated request: no 5xx, no silence, and the documented shape of some operation. */
export const judge = (
  draft: Draft,
  outcome: Outcome,
  operations: ReadonlyArray<ContractOperation>
): Fault | undefined => {
  if ("silence" in outcome) return { kind: "silence", text: outcome.silence }
  const excerpt = `${outcome.status} ${outcome.body.toString("utf8").slice(0, 300)}`
  if (outcome.status >= 500) return { kind: "5xx", text: excerpt }
  const method = draft.method === "HEAD" ? "GET" : draft.method
  // Their answers are no envelopes.
  if (method === "GET" && outcome.status === 200 && isOutsideContract(draft)) return undefined
  const path = unescaped(pathOf(draft.target))
  const faults: Array<string> = []
  for (const api of apisOf(draft, outcome.status)) {
    const possible = operations.filter((operation) => operation.api === api && operation.method === method)
    const named = possible.filter((operation) => names(operation, path))
    // To decode a large answer as every operation's would keep the fuzzer from reading other answers.
    for (const operation of [undefined, ...(named.length > 0 ? named : possible)]) {
      const fault = shapeFault({ method: draft.method, api, operation }, outcome)
      if (fault === undefined) return undefined
      faults.push(fault)
    }
  }
  return { kind: "shape", text: `${excerpt}: ${faults.at(-1)}` }
}
