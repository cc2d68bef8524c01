import {
  type DashboardCreate,
  type DashboardNotFound,
  type Dashboards,
  type DashboardUpdate,
  InvalidRequest,
  type PortError
} from "@headgate/core"
import type { TilesKind } from "@headgate/core/adapter"
import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { Rows } from "../http/handlersOf.ts"
import type { OperationRequest } from "../http/operationRoutes.ts"

/** The kind of tiles that the dashboards of a dialect have. */
export const tilesOf = ({ name }: Dialect): TilesKind => (name === "clickhouse" ? "config" : "series")

/** The body of a request as it was sent, whatever JSON it is: a store with `config` tiles judges it, in the service's words. */
export const bodyAsSent = Schema.declare(
  (body: unknown): body is DashboardCreate & DashboardUpdate => body !== undefined
)

// Any text of twelve characters is one, too.
const isObjectId = (id: string): boolean => /^[0-9a-f]{24}$/i.test(id) || id.length === 12

const invalidId = new InvalidRequest({
  message: "Params validation failed: id: Invalid ObjectId",
  issues: [{ path: "id", message: "Invalid ObjectId" }]
})

const orInvalidId = (error: DashboardNotFound): Effect.Effect<never, DashboardNotFound | InvalidRequest> =>
  Effect.fail(isObjectId(error.dashboardId) ? error : invalidId)

/** The faults of a body, and that of the id. */
const withInvalidId = ({ issues, message }: InvalidRequest) =>
  new InvalidRequest({ message: `${message}; ${invalidId.message}`, issues: [...issues, ...invalidId.issues] })

/** A port as the service of the dialect `clickhouse` answers on `/api/v2`: an id that cannot be one is a 400, and a deletion of none succeeds. */
export const asConfigDashboards = (dashboards: Dashboards["Service"]): Dashboards["Service"] => ({
  ...dashboards,
  get: (address) => Effect.catchTag(dashboards.get(address), "DashboardNotFound", orInvalidId),
  update: (address, request) =>
    Effect.catchTags(dashboards.update(address, request), {
      DashboardNotFound: orInvalidId,
      // A store checks the body before it looks for the dashboard.
      InvalidRequest: (error) =>
        isObjectId(address.dashboardId)
          ? Effect.fail(error)
          : dashboards.get(address).pipe(
              Effect.catchTag("DashboardNotFound", () => Effect.fail(withInvalidId(error))),
              Effect.andThen(Effect.fail(error))
            )
    }),
  delete: (address) =>
    dashboards.delete(address).pipe(
      Effect.catchTag("DashboardNotFound", orInvalidId),
      Effect.catchTag("DashboardNotFound", () => Effect.void)
    )
})

interface AnyHandlers {
  readonly [name: string]: (request: OperationRequest<any, any>) => Effect.Effect<unknown, PortError>
}

/** Handlers of documents, by noun, as the service of the dialect `clickhouse` answers: an id that cannot be one is a 400. A stored id is always found. */
export const withObjectIds = <Nouns extends { readonly [Noun in keyof Nouns]: AnyHandlers }>(
  tables: { readonly [noun: string]: Rows },
  nouns: Nouns
): Nouns => {
  const checked = Record.map<string, AnyHandlers, AnyHandlers>(nouns, (handlers, noun) =>
    Record.map(
      handlers,
      (handler, name) => (request: OperationRequest<{ readonly [name: string]: string }, unknown>) =>
        Effect.mapError(handler(request), (error) =>
          error._tag === tables[noun]?.[name]?.notFound && !Object.values(request.params).every(isObjectId)
            ? invalidId
            : error
        )
    )
  )
  // The same handlers, with errors that stay within `PortError`.
  return checked as unknown as Nouns
}
