import {
  type DashboardCreate,
  type DashboardNotFound,
  type Dashboards,
  type DashboardUpdate,
  InvalidRequest
} from "@headgate/core"
import type { TilesKind } from "@headgate/core/adapter"
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

const invalidObjectId = "Params validation failed: id: Invalid ObjectId"

const orInvalidId = (error: DashboardNotFound): Effect.Effect<never, DashboardNotFound | InvalidRequest> =>
  isObjectId(error.dashboardId)
    ? Effect.fail(error)
    : Effect.fail(
        new InvalidRequest({ message: invalidObjectId, issues: [{ path: "id", message: "Invalid ObjectId" }] })
      )

/** A port as today's service answers on `/api/v2`: an id that cannot be one is a 400, and a deletion of none succeeds. */
export const likeToday = (dashboards: Dashboards["Service"]): Dashboards["Service"] => ({
  ...dashboards,
  get: (id) => Effect.catchTag(dashboards.get(id), "DashboardNotFound", orInvalidId),
  update: (id, request) => Effect.catchTag(dashboards.update(id, request), "DashboardNotFound", orInvalidId),
  delete: (id) =>
    dashboards.delete(id).pipe(
      Effect.catchTag("DashboardNotFound", orInvalidId),
      Effect.catchTag("DashboardNotFound", () => Effect.void)
    )
})
