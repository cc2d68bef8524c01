import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { IssueCollector } from "../error/FieldIssue.ts"
import { decodeRequest, jsonIssues, validate } from "../error/validate.ts"
import type { Dashboard, Tile } from "./Dashboard.ts"
import { DashboardCreate } from "./DashboardCreate.ts"
import { DashboardUpdate } from "./DashboardUpdate.ts"
import type { DashboardDocument, DashboardValidation } from "./DashboardValidation.ts"
import { DashboardId, TileId } from "../id/dashboard.ts"
import { aggregationFunctions, dataSources, metricDataTypes, seriesTypes, whereLanguages } from "./seriesValues.ts"

// A UUID needs no check.
const unchecked = { disableChecks: true }

const validateCreate = validate(DashboardCreate)
const validateUpdate = validate(DashboardUpdate)
const decodeCreate = decodeRequest(DashboardCreate)

const servedValues = [
  ["type", seriesTypes],
  ["dataSource", dataSources],
  ["aggFn", aggregationFunctions],
  ["whereLanguage", whereLanguages],
  ["metricDataType", metricDataTypes]
] as const

/** Finds the values of series that no version of the service takes. A client does not: the service decides. */
const findUnknownValues = (found: IssueCollector, { tiles }: DashboardCreate | DashboardUpdate): void => {
  for (const [tileIndex, { series }] of (tiles ?? []).entries()) {
    for (const [index, one] of (series ?? []).entries()) {
      for (const [field, values] of servedValues) {
        if (found.isFull) return
        const value = one[field]
        if (value === undefined || value === null || values.some((served) => served === value)) continue
        const expected = values.map((served) => `"${served}"`).join(" | ")
        found.report({ path: `tiles[${tileIndex}].series[${index}].${field}`, message: `Expected ${expected}` })
      }
    }
  }
}

const placeFields = ["x", "y", "w", "h"] as const

/** Finds the tiles of an update without a place, and those that repeat the id of an earlier one. */
const findWrongTiles = (found: IssueCollector, { tiles }: DashboardUpdate): void => {
  const ids = new Set<TileId>()
  for (const [index, tile] of (tiles ?? []).entries()) {
    for (const field of placeFields) {
      if (!Predicate.isNumber(tile[field])) {
        found.report({ path: `tiles[${index}].${field}`, message: "Missing: it is required" })
      }
    }
    const { id } = tile
    if (id === undefined || id === null) continue
    if (ids.has(id)) found.report({ path: `tiles[${index}].id`, message: "Expected an id that no other tile has" })
    ids.add(id)
  }
}

/** Finds tiles of the other kind that are new: they would be stored, and no client of this kind could show them. */
const findConfigs = (
  found: IssueCollector,
  { tiles }: DashboardCreate | DashboardUpdate,
  stored: ReadonlyArray<Tile> = []
): void => {
  const known = new Set(stored.flatMap(({ config, id }) => (Predicate.isObject(config) ? [id] : [])))
  for (const [index, tile] of (tiles ?? []).entries()) {
    if (!Predicate.isObject(tile.config)) continue
    if ("id" in tile && known.has(TileId.make(String(tile.id), unchecked))) continue
    found.report({ path: `tiles[${index}].config`, message: "Expected series: config is of the dialect clickhouse" })
  }
}

const failIfAny = ({ count, issues }: IssueCollector): Effect.Effect<void, InvalidRequest> =>
  count === 0 ? Effect.void : invalidRequest(issues)

const checkValues = (request: DashboardCreate): Effect.Effect<void, InvalidRequest> => {
  const found = new IssueCollector()
  findUnknownValues(found, request)
  findConfigs(found, request)
  return failIfAny(found)
}

const tagsOf = ({ tags }: DashboardCreate | DashboardUpdate): ReadonlyArray<string> => Array.from(new Set(tags ?? []))

/**
 * Makes a new dashboard from a request. Every adapter that stores dashboards uses this rule. It assigns an id to the
 * dashboard and to each tile, ignores ids in the request, and removes repeated tags. Fails with `InvalidRequest` when a
 * field is wrong or a value of a series is unknown. Contract: docs/wire-contract.md#create-a-dashboard.
 */
export const makeDashboard = Effect.fnUntraced(function* (request: DashboardCreate) {
  const random = yield* SecureRandom
  const valid = yield* validateCreate(request)
  yield* checkValues(valid)
  const tiles: Array<Tile> = []
  for (const tile of valid.tiles ?? []) tiles.push({ ...tile, id: TileId.make(yield* random.uuidV4(), unchecked) })
  const dashboard: Dashboard = {
    ...valid,
    id: DashboardId.make(yield* random.uuidV4(), unchecked),
    // A copy, because an array that grows by `push` allocates more than it needs, and stores keep dashboards.
    tiles: tiles.slice(),
    tags: tagsOf(valid)
  }
  return dashboard
})

/**
 * Validates an update, and makes from it the dashboard that replaces one with an id. Every adapter that stores dashboards
 * uses this rule. Tiles keep their ids, and a tile without one gets one. A tile of `stored`, the tiles before, that has a `config` may
 * have one again: an imported dashboard can be changed. Fails with `InvalidRequest` as
 * {@link makeDashboard} does, and for an id that two tiles have.
 */
export const replaceDashboard = Effect.fnUntraced(function* (
  id: DashboardId,
  request: DashboardUpdate,
  stored: ReadonlyArray<Tile> = []
) {
  const random = yield* SecureRandom
  const valid = yield* validateUpdate(request)
  const found = new IssueCollector()
  findUnknownValues(found, valid)
  findConfigs(found, valid, stored)
  findWrongTiles(found, valid)
  yield* failIfAny(found)
  const tiles: Array<Tile> = []
  for (const tile of valid.tiles ?? []) {
    tiles.push({ ...tile, id: tile.id ?? TileId.make(yield* random.uuidV4(), unchecked) })
  }
  const dashboard: Dashboard = { ...valid, id, tiles: tiles.slice(), tags: tagsOf(valid) }
  return dashboard
})

const validation = {
  onFailure: ({ issues }: InvalidRequest): DashboardValidation => ({ valid: false, errors: issues }),
  onSuccess: (): DashboardValidation => ({ valid: true, errors: [] })
}

/**
 * Tells whether {@link makeDashboard} would take a document, and if not, which fields are wrong: at most 20, and how many
 * more. Stores nothing.
 */
export const validateDashboard = (document: DashboardDocument): Effect.Effect<DashboardValidation> => {
  const issues = jsonIssues(document)
  const checked = issues.length > 0 ? invalidRequest(issues) : Effect.flatMap(decodeCreate(document), checkValues)
  return Effect.match(checked, validation)
}
