import { type Dialect, makeApi } from "@headgate/http-contract"
import * as HttpApi from "effect/http-api/HttpApi"
import * as Schema from "effect/Schema"

/** The two APIs of the contract: each has its own credentials and its own shape of errors. */
export type ApiName = "management" | "observability"

/** The API that a path belongs to (contract: section 9). */
export const apiOf = (path: string): ApiName => (path.startsWith("/api/") ? "observability" : "management")

/** An operation of the contract, as the trials need it. */
export interface Operation {
  /** `pipe.get`: group and endpoint. */
  readonly name: string
  readonly api: ApiName
  readonly method: string
  /** With its parameters as `:organizationId`. */
  readonly path: string
  /** Whether the body of a success with this status is as the contract has it: `undefined`, or what is wrong with it. */
  readonly faultOf: (status: number, body: unknown) => string | undefined
}

const message = (error: unknown) => (error instanceof Error ? error.message : String(error))

const decoder = (schema: Schema.Top) => {
  // The contract's schemas need no services, which the reflection of any HttpApi cannot know.
  const decode = Schema.decodeUnknownSync(schema as Schema.Codec<unknown>)
  return (body: unknown): string | undefined => {
    try {
      decode(body)
      return undefined
    } catch (error) {
      return message(error)
    }
  }
}

/** Every operation that the contract has, read off the contract itself: one that is added is tried from then on. */
export const operationsOf = (dialect: Dialect): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  HttpApi.reflect(makeApi(dialect), {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, successes }) => {
      const decoders = new Map(Array.from(successes, ([status, schemas]) => [status, schemas.map(decoder)] as const))
      operations.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        api: apiOf(endpoint.path),
        method: endpoint.method,
        path: endpoint.path,
        faultOf: (status, body) => {
          const faults = (decoders.get(status) ?? []).map((faultOf) => faultOf(body))
          if (faults.length === 0) return `the contract has no answer ${status}`
          return faults.every((fault) => fault !== undefined) ? faults.join("; ") : undefined
        }
      })
    }
  })
  return operations
}

/** The path of an operation with its parameters filled in. */
export const pathOf = ({ path }: Operation, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`${path} takes a parameter that this trial does not know: ${name}`)
    return value
  })
