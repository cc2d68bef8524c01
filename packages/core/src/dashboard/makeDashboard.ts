import * as Effect from "effect/Effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import {
  aggregationFunctions,
  type Dashboard,
  dataSources,
  metricDataTypes,
  seriesTypes,
  type Tile,
  whereLanguages
} from "./Dashboard.ts"
import { DashboardCreate } from "./DashboardCreate.ts"
import { DashboardId, TileId } from "./ids.ts"

// A UUID needs no check.
const unchecked = { disableChecks: true }

const validateRequest = validate(DashboardCreate)

const servedValues = [
  ["type", seriesTypes],
  ["dataSource", dataSources],
  ["aggFn", aggregationFunctions],
  ["whereLanguage", whereLanguages],
  ["metricDataType", metricDataTypes]
] as const

/** Refuses the values of a series that no version of the service takes. A client does not: the service decides. */
const validateValues = ({ tiles }: DashboardCreate): Effect.Effect<void, InvalidRequest> => {
  const found = new IssueCollector()
  for (const [tileIndex, { series }] of (tiles ?? []).entries()) {
    for (const [index, one] of (series ?? []).entries()) {
      for (const [field, values] of servedValues) {
        if (found.isFull) return invalidRequest(found.issues)
        const value = one[field]
        if (value === undefined || value === null || values.some((served) => served === value)) continue
        const expected = values.map((served) => `"${served}"`).join(" | ")
        found.report({ path: `tiles[${tileIndex}].series[${index}].${field}`, message: `Expected ${expected}` })
      }
    }
  }
  return found.count === 0 ? Effect.void : invalidRequest(found.issues)
}

/**
 * Makes a new dashboard from a request. Every adapter that stores dashboards uses this rule. It assigns an id to the
 * dashboard and to each tile, ignores ids in the request, and removes repeated tags. Fails with `InvalidRequest` when a
 * field is wrong or a value of a series is unknown. Contract: section 4.3.
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
  const valid = yield* validateRequest(request)
  yield* validateValues(valid)
  const tiles: Array<Tile> = []
  for (const tile of valid.tiles ?? []) tiles.push({ ...tile, id: TileId.make(yield* random.uuidV4(), unchecked) })
  const dashboard: Dashboard = {
    ...valid,
    id: DashboardId.make(yield* random.uuidV4(), unchecked),
    // A copy, because an array that grows by `push` allocates more than it needs, and stores keep dashboards.
    tiles: tiles.slice(),
    tags: Array.from(new Set(valid.tags ?? []))
  }
  return dashboard
})
