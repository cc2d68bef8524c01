import {
  type CallError,
  type DashboardCreate,
  type DashboardNotFound,
  type Dashboards,
  type DashboardUpdate,
  InvalidRequest
} from "@headgate/core"
import type { NotFound, OwnedDocuments, TilesKind } from "@headgate/core/adapter"
import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

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

/** A port as today's service answers on `/api/v2`: an id that cannot be one is a 400, and a deletion of none succeeds. */
export const likeToday = (dashboards: Dashboards["Service"]): Dashboards["Service"] => ({
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

/** A port to documents as today's service answers: an id that cannot be one is a 400. A stored id is always found. */
export const withObjectIds = <
  Address extends { readonly [name: string]: string },
  Request,
  Document,
  Missing extends NotFound
>(
  documents: OwnedDocuments<Address, Request, Document, Missing>,
  notFound: Missing["_tag"]
): OwnedDocuments<Address, Request, Document, Missing> => {
  const checked = <A>(address: Address, called: Effect.Effect<A, Missing | CallError>) =>
    Effect.mapError(called, (error) =>
      error._tag === notFound && !Object.values(address).every(isObjectId) ? invalidId : error
    )
  return {
    ...documents,
    get: (address) => checked(address, documents.get(address)),
    update: (address, request) => checked(address, documents.update(address, request)),
    delete: (address) => checked(address, documents.delete(address))
  }
}
