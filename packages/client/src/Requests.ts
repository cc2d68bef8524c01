import { callUnknown, type Connection } from "@headgate/http-adapter/ports"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { CallOptions } from "./CallOptions.ts"
import { type CallPromise, callPromise } from "./CallPromise.ts"
import { invalidInput, validateInput } from "./Input.ts"
import type { Runner } from "./Runner.ts"
import type { Connecting } from "./httpConnections.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** The HTTP method of a request. */
export type RequestMethod = (typeof methods)[number]

/** What a client has for operations that it does not know. */
export interface Requests {
  /**
   * Calls an operation that this version of the package does not know, with the credentials, retries and limits of every call. `path`
   * begins with `/v1/` for the management API and with `/api/` for the observability API, and may have a query. Resolves to the JSON
   * of the whole body, `undefined` if there is none. A 404 is an `UnexpectedResponseError` with its `status`. A client over memory has
   * no other operations: there it rejects with such an error.
   *
   * @example
   * ```ts
   * import type { ManagementClient } from "@headgate/client"
   *
   * export const backups = async (headgate: ManagementClient, organizationId: string) =>
   *   await headgate.request("GET", `/v1/organizations/${organizationId}/backups`)
   * ```
   */
  request(method: RequestMethod, path: string, body?: unknown, options?: CallOptions): CallPromise<unknown>
}

const isPath = (path: string): boolean => {
  const [resource = ""] = path.split("?")
  // What a URL would take for another path.
  const isOther = resource.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  return /^\/(?:v1|api)\/[!-~]+$/.test(path) && !/[\\#]/.test(path) && !isOther
}

const Request = Schema.Struct({
  method: Schema.Literals(methods),
  path: Schema.String.check(
    Schema.makeFilter((path: string) => isPath(path) || "Expected an encoded path that begins with /v1/ or /api/")
  ),
  body: Schema.optionalKey(Schema.Unknown)
}).check(
  Schema.makeFilter(({ body, method }) =>
    method === "GET" && body !== undefined
      ? { path: ["body"], issue: "Expected none: a GET has no body, but a query in its path" }
      : undefined
  )
)

/** The requests of a client over its connections. */
export const requestsOver = (
  { run }: Runner<never>,
  connections: { readonly [Api in "management" | "observability"]: Connecting<Connection> | undefined }
): Requests => {
  const validate = validateInput(Request)
  return {
    request: (method, path, body, options) => {
      const call = Effect.flatMap(validate({ method, path, body }), (request) => {
        const api = request.path.startsWith("/v1/") ? "management" : "observability"
        const connecting = connections[api]
        return connecting !== undefined && Result.isSuccess(connecting)
          ? callUnknown(connecting.success, api)(request)
          : Effect.fail(
              invalidInput([{ path: "path", message: `This is a path of the ${api} API: pass ${api} to createClient` }])
            )
      })
      return callPromise(run(call, options))
    }
  }
}
