import { fieldIssues } from "@headgate/core"
import { invalidRequest, jsonIssues, RequestChecks, typesOnly } from "@headgate/core/adapter"
import { type AnyOperation, hasQuery } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeRequest, withBody, withQuery } from "./HttpRequest.ts"

const everyIssue = { errors: "all" } as const

/** Fills the parameters into a path of the contract: `/v1/organizations/:organizationId/keys`. */
const pathWith = (path: string) => {
  const [start = "", ...parts] = path.split(/:(\w+)/)
  return (params: Readonly<Record<string, string>>): string => {
    let filled = start
    for (let i = 0; i < parts.length; i += 2) {
      filled += encodeURIComponent(params[parts[i] ?? ""] ?? "") + (parts[i + 1] ?? "")
    }
    return filled
  }
}

/** How the requests of an operation are written. */
export interface RequestSettings {
  /** The only fields that are sent when they are null, for a service that refuses null in any other. */
  readonly nullable?: ReadonlyArray<string>
}

/** The parameters of a query: what is absent is not sent. */
const queryOf = (fields: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  )

const withoutNulls = (nullable: ReadonlyArray<string>) => (name: string, value: unknown) =>
  value === null && !nullable.includes(name) ? undefined : value

/** Makes the requests of an operation; what all of them share is made once. */
export const encodeRequest = (
  { method, params, path, payload }: Pick<AnyOperation, "method" | "params" | "path" | "payload">,
  { nullable }: RequestSettings
) => {
  const encodeParams = Schema.encodeUnknownEffect(params, everyIssue)
  const encodeValues = Schema.encodeUnknownEffect(payload, everyIssue)
  const encodeTypes = Schema.encodeUnknownEffect(typesOnly(payload), everyIssue)
  const fill = pathWith(path)
  const isQuery = hasQuery({ method, payload })
  const replacer = nullable && withoutNulls(nullable)
  return Effect.fnUntraced(
    function* (params: unknown, payload: unknown) {
      const request = makeRequest(method, fill(yield* encodeParams(params)))
      const body = yield* (yield* RequestChecks) === "types" ? encodeTypes(payload) : encodeValues(payload)
      if (body === undefined) return request
      if (isQuery) return withQuery(request, queryOf({ ...body }))
      const issues = jsonIssues(body)
      return issues.length === 0
        ? withBody(request, JSON.stringify(body, replacer), "application/json")
        : yield* invalidRequest(issues, { attempts: 0 })
    },
    Effect.catchTag("SchemaError", (error) => invalidRequest(fieldIssues(error), { attempts: 0 }))
  )
}
