import type { PortError } from "@headgate/core"
import { type AnyOperation, hasQuery, isNoContent, neutral, type Operations, operations } from "@headgate/http-contract"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Ports, type Sample, samples } from "./samples.ts"

/** `pipe.get`, `key.create`: the noun and the name of an operation. */
export type OperationName = {
  readonly [Noun in keyof Operations]: `${Noun}.${keyof Operations[Noun] & string}`
}[keyof Operations]

/** A sample with its row of the contract, and what goes over the wire. */
export interface SampleCall {
  readonly name: OperationName
  readonly operation: AnyOperation
  readonly call: Effect.Effect<unknown, PortError, Ports>
  /** Whether a client may repeat the call: not a change of tables, though other updates of a pipe may be repeated. */
  readonly isRepeatable: boolean
  /** The path of the request, its parameters filled in. */
  readonly path: string
  /** The body of the request as JSON; `undefined` where the operation has none. */
  readonly requestBody: unknown
  /** The path with the query. */
  readonly target: string
  /** The query of the request; `undefined` where the operation has none. */
  readonly query: unknown
  /** The content of the envelope as JSON. */
  readonly success: unknown
  /** The body of the answer as JSON: `success` in the envelope of its API. */
  readonly responseBody: object
}

/** The request id of every answer. */
export const requestId = "44444444-4444-4444-8444-444444444444"

const responseBody = ({ api, envelope, success }: AnyOperation, content: unknown): object => {
  if (envelope === "none") return Object(content)
  if (api === "observability") return isNoContent(success) ? {} : { data: content }
  return { status: 200, requestId, ...(isNoContent(success) ? {} : { result: content }) }
}

const sampleCall = (name: OperationName, operation: AnyOperation, sample: Sample<AnyOperation>): SampleCall => {
  const params: Readonly<Record<string, string>> = Schema.encodeUnknownSync(operation.params)(sample.params)
  const payload = Schema.encodeUnknownSync(operation.payload)(sample.payload)
  const path = operation.path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ""))
  return {
    name,
    operation,
    call: sample.call,
    isRepeatable: operation.isRepeatable && name !== "pipe.update",
    path,
    requestBody: hasQuery(operation) ? undefined : payload,
    query: hasQuery(operation) ? payload : undefined,
    target: hasQuery(operation) ? `${path}?${new URLSearchParams(Object.entries({ ...Object(payload) }))}` : path,
    success: sample.success,
    responseBody: responseBody(operation, sample.success)
  }
}

/** The samples of every operation of the contract, in a list. */
export const sampleCalls: ReadonlyArray<SampleCall> = Object.entries(operations(neutral)).flatMap(([noun, rows]) =>
  Object.entries<AnyOperation>(rows).map(([name, row]) => {
    // The compiler holds `samples` to the same keys; `Object.entries` forgets them.
    const table = samples as Readonly<Record<string, Readonly<Record<string, Sample<AnyOperation>>>>>
    const sample = table[noun]?.[name]
    if (sample === undefined) throw new Error(`unreachable: ${noun}.${name} has a sample`)
    return sampleCall(`${noun}.${name}` as OperationName, row, sample)
  })
)

/** The sample of one operation. */
export const sampleCallOf = (name: OperationName): SampleCall => {
  const found = sampleCalls.find((call) => call.name === name)
  if (found === undefined) throw new Error(`unreachable: ${name} has a sample`)
  return found
}
