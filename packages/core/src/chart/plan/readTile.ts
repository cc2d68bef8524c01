import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { FieldIssue } from "../../error/FieldIssue.ts"
import type { Dashboard } from "../../dashboard/Dashboard.ts"
import { type JsonObject, objectOf, objectsOf } from "../../dashboard/config/Issues.ts"
import { readBody } from "../../dashboard/config/readBody.ts"
import { answeredTile, storedTile } from "../../dashboard/config/storedTile.ts"
import { TileConfig } from "../../dashboard/config/TileConfig.ts"

const isConfig = Schema.is(TileConfig)

// The ids of a store need not look as those of the service.
const idFields = ["sourceId", "connectionId"] as const
const anyId = "0".repeat(24)

const isId = (value: unknown): boolean => Predicate.isString(value) && value !== ""

/** Reads the chart of a tile. The issues have the paths of the request. */
export const readConfig = (sent: JsonObject): Result.Result<TileConfig, ReadonlyArray<FieldIssue>> => {
  const ids = Object.fromEntries(idFields.flatMap((name) => (isId(sent[name]) ? [[name, sent[name]]] : [])))
  const standIns = Object.fromEntries(Object.keys(ids).map((name) => [name, anyId]))
  const { issues, request } = readBody(TileConfig, { ...sent, ...standIns })
  if (issues.length > 0 || !isConfig(request)) {
    const found = issues.length > 0 ? issues : [{ path: "", message: "Expected a chart" }]
    const path = (below: string) => (below === "" ? "tile.config" : `tile.config.${below}`)
    return Result.fail(found.map((issue) => ({ ...issue, path: path(issue.path) })))
  }
  const { config } = answeredTile({ config: { ...request, ...ids } })
  // The ids alone were replaced.
  return Result.succeed(config as TileConfig)
}

const withoutSource = "The series of this tile name no source: set sourceId of each of them"
const severalSources = "The series of this tile have several sources, and a chart is drawn of one: make a tile of each"

/** Reads the chart of a stored tile, which has a `config` or, in the older form, `series`. */
export const readStoredTile = (
  tile: NonNullable<Dashboard["tiles"]>[number]
): Result.Result<TileConfig, ReadonlyArray<FieldIssue>> => {
  const { asRatio, config, series } = tile
  const sent = objectOf(config)
  if (sent !== undefined) return readConfig(sent)
  const given = objectsOf(series).map((one) =>
    Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null))
  )
  const [first] = given
  if (first === undefined) return Result.fail([{ path: "tile", message: "The tile has no chart" }])
  if (first.type !== "markdown") {
    const problem = given.every(({ sourceId }) => isId(sourceId))
      ? given.some(({ sourceId }) => sourceId !== first.sourceId) && severalSources
      : withoutSource
    if (problem !== false) return Result.fail([{ path: "tile", message: problem }])
  }
  const converted = storedTile({ series: given, asRatio: asRatio === true })
  return readConfig(objectOf(converted.config) ?? {})
}
