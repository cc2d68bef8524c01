import * as Effect from "effect/Effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { checked } from "../error/validate.ts"
import type { Dashboard, Tile } from "./Dashboard.ts"
import { DashboardCreate } from "./DashboardCreate.ts"
import { DashboardId, TileId } from "./ids.ts"

// A UUID is one.
const sure = { disableChecks: true }

const checkedRequest = checked(DashboardCreate)

/**
 * Makes a new dashboard from a request: the rule that every store shares. The dashboard and each tile get an id, any
 * that was sent is ignored; tags are de-duplicated, in order. Fails with `InvalidRequest` when a field is wrong.
 * Contract: section 4.3.
 *
 * @example
 * ```ts
 * import { makeDashboard } from "@headgate/core/adapter"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const made = makeDashboard({ name: "Errors", tags: ["a", "b", "a"] }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
 * const { id, tags, tiles } = await Effect.runPromise(made)
 * console.log(id.length, tags, tiles) // 36 [ 'a', 'b' ] []
 * ```
 */
export const makeDashboard = Effect.fnUntraced(function* (request: DashboardCreate) {
  const random = yield* SecureRandom
  const asked = yield* checkedRequest(request)
  const tiles: Array<Tile> = []
  for (const tile of asked.tiles ?? []) tiles.push({ ...tile, id: TileId.make(yield* random.uuidV4(), sure) })
  const dashboard: Dashboard = {
    ...asked,
    id: DashboardId.make(yield* random.uuidV4(), sure),
    // One that has grown keeps room for more, and dashboards are kept.
    tiles: tiles.slice(),
    tags: Array.from(new Set(asked.tags ?? []))
  }
  return dashboard
})
