import {
  type CallError,
  ChartData,
  type ChartNotFound,
  type ChartQuery,
  Charts,
  type Dashboard,
  formatFieldIssues
} from "@headgate/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type { TileContent } from "../chart/drawTile.ts"
import type { Moment } from "../chart/timeFlag.ts"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"

export type Tile = NonNullable<Dashboard["tiles"]>[number]

type ChartError = CallError | ChartNotFound

/** A tile with what is shown of it, and why its last query failed. */
export interface TileState {
  readonly tile: Tile
  readonly content: TileContent
  readonly error?: ChartError
}

/** The tiles of a dashboard at one time. Times are milliseconds. */
export interface Shown {
  readonly from: number
  readonly to: number
  readonly now: number
  readonly tiles: ReadonlyArray<TileState>
}

/** What is asked for at each refresh. */
export interface ShowQuery {
  readonly dashboard: Dashboard
  readonly tiles: ReadonlyArray<Tile>
  readonly from: Moment
  readonly to: Moment
  /** Of every tile. */
  readonly options: Pick<ChartQuery, "granularity" | "filters"> & { readonly timezone: string }
}

// A service lets a caller have few queries at work.
const atOnce = 4

/** The text of a tile that has one in place of data. */
const textOf = ({ config, series }: Tile): string | undefined => {
  if (Predicate.hasProperty(config, "displayType")) {
    if (config.displayType !== "markdown") return undefined
    return Predicate.hasProperty(config, "markdown") && Predicate.isString(config.markdown) ? config.markdown : ""
  }
  const [first] = series ?? []
  if (first?.type !== "markdown") return undefined
  return Predicate.isString(first["content"]) ? first["content"] : ""
}

/** What a later query can change: until then the last picture stays. */
const passing = ["RateLimited", "ServerError", "ConnectionError", "TimeoutError", "FailedDependency"]

/** Whether a query has failed for a reason that may pass. */
export const isPassing = ({ error }: TileState): boolean => error !== undefined && passing.includes(error._tag)

/** The credentials let no tile be queried. */
const isRefused = ({ _tag }: ChartError): boolean => _tag === "Unauthorized" || _tag === "Forbidden"

/** Why a query has failed: of a chart that is refused, what is wrong with it. */
export const reasonOf = (error: ChartError): string =>
  error._tag === "InvalidRequest" && error.issues.length > 0 ? formatFieldIssues(error.issues) : error.message

const contentAfter = (error: ChartError, before: TileContent | undefined): TileContent =>
  before?._tag === "Data" && passing.includes(error._tag)
    ? { ...before, problem: reasonOf(error) }
    : { _tag: "Failed", reason: reasonOf(error) }

/**
 * Asks for the data of each tile, a few at once. What cannot be renewed stays as it was in `before`. Fails if the credentials do not
 * allow it; what else fails is of its tile.
 */
export const queryTiles = Effect.fnUntraced(function* (query: ShowQuery, before: ReadonlyArray<TileState> = []) {
  const charts = yield* Charts
  const time = yield* DateTime.now
  const [from, to] = [query.from, query.to].map((moment) => DateTime.toEpochMillis(moment(time)))
  if (from === undefined || to === undefined || from >= to) {
    return yield* new UsageError({ message: "--from: it must be before --to." })
  }
  const dashboardId = query.dashboard.id
  const stateOf = Effect.fnUntraced(function* (tile: Tile, index: number) {
    const text = textOf(tile)
    if (text !== undefined) return { tile, content: { _tag: "Text", text } } satisfies TileState
    const at = yield* Clock.currentTimeMillis
    const request = { ...query.options, tile: { dashboardId, tileId: tile.id }, from, to }
    return yield* Effect.matchEffect(charts.query(request), {
      onFailure: (error): Effect.Effect<TileState, ChartError> =>
        isRefused(error)
          ? Effect.fail(error)
          : Effect.succeed({ tile, error, content: contentAfter(error, before[index]?.content) }),
      onSuccess: (data): Effect.Effect<TileState> => Effect.succeed({ tile, content: { _tag: "Data", data, at } })
    })
  })
  const tiles: ReadonlyArray<TileState> = yield* Effect.forEach(query.tiles, stateOf, { concurrency: atOnce })
  const shown: Shown = { from, to, now: DateTime.toEpochMillis(time), tiles }
  return shown
})

/** The answers of all tiles as one document. */
export const shownDocument = Effect.fnUntraced(function* ({ dashboard, options }: ShowQuery, shown: Shown) {
  const tiles = yield* Effect.forEach(
    shown.tiles,
    Effect.fnUntraced(function* ({ content, error, tile }) {
      const failure = error === undefined ? undefined : { tag: error._tag, message: reasonOf(error) }
      return Record.filter(
        {
          tileId: tile.id,
          name: tile.name ?? "",
          data: content._tag === "Data" ? yield* Output.encoded(ChartData, content.data) : undefined,
          text: content._tag === "Text" ? content.text : undefined,
          error: failure
        },
        Predicate.isNotUndefined
      )
    })
  )
  const { from, to } = shown
  return { dashboardId: dashboard.id, name: dashboard.name, from, to, timezone: options.timezone, tiles }
})
