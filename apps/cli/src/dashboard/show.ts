import { escapeTerminalLine, jsonText, Width, writeText } from "@headgate/command-line"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Command from "effect/cli/Command"
import { ago } from "../chart/timeFlag.ts"
import { TilesFailed } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { yamlText } from "../output/yamlText.ts"
import { askedPause, isTemporary } from "../wait/polling.ts"
import { dashboardIdArgument } from "./dashboardId.ts"
import { readDashboard } from "./get.ts"
import { tilesInOrder } from "./grid.ts"
import { chosenFilters, chosenTiles, showFlags } from "./showFlags.ts"
import { pictureOf, plainOf } from "./showText.ts"
import {
  isPassing,
  queryTiles,
  reasonOf,
  type Shown,
  shownDocument,
  type ShowQuery,
  type TileState
} from "./showTiles.ts"

/** Fails if a tile did: its reason, and the tiles that have the same one. */
const checkTiles = ({ tiles }: Shown): Effect.Effect<void, TilesFailed> => {
  const names = new Map<string, Array<string>>()
  for (const { error, tile } of tiles) {
    if (error === undefined) continue
    const name = `"${escapeTerminalLine(tile.name ?? tile.id)}"`
    const reason = reasonOf(error)
    names.set(reason, [...(names.get(reason) ?? []), name])
  }
  if (names.size === 0) return Effect.void
  const reasons = Array.from(names, ([reason, of]) => `tile${of.length === 1 ? "" : "s"} ${of.join(", ")}: ${reason}`)
  return Effect.fail(new TilesFailed({ message: reasons.join("\n") }))
}

/** The pauses after refreshes that failed. */
const backOff = [5, 10, 20, 60].map(Duration.seconds)

/** How long to wait for the next refresh: longer after some that failed, and as long as the service asks. */
const pauseAfter = (interval: Duration.Duration, failures: number, tiles: ReadonlyArray<TileState>) => {
  const least = backOff[Math.min(failures, backOff.length) - 1] ?? interval
  return tiles.reduce(
    (longest, { error }) =>
      error !== undefined && isTemporary(error) ? Duration.max(longest, askedPause(error)) : longest,
    Duration.max(interval, least)
  )
}

/** How a refresh is printed: drawn where the width of a terminal is known, else the answers. */
const printer = Effect.fnUntraced(function* (query: ShowQuery, zone: DateTime.TimeZone, isRepeated: boolean) {
  const format = yield* Output.format
  const isPlain = yield* Output.Plain
  const width = yield* Width
  const stdio = yield* Stdio.Stdio
  const isDrawn = format === "table" && !isPlain && width !== Infinity
  const isRedrawn = isRepeated && isDrawn && (yield* stdio.stdoutIsTerminal)
  let isFirst = true
  return Effect.fnUntraced(function* (shown: Shown) {
    const begin = isFirst ? "\u001b[2J\u001b[H" : "\u001b[H"
    const between = isFirst ? "" : "\n"
    isFirst = false
    if (isDrawn) {
      const picture = pictureOf(query, shown, zone, width)
      if (isRedrawn) return yield* writeText(`${begin}${picture.replaceAll("\n", "\u001b[K\n")}\u001b[K\n\u001b[J`)
      return yield* writeText(`${between}${picture}\n`)
    }
    if (format === "table" && isPlain) return yield* writeText(`${between}${plainOf(query, shown, zone)}\n`)
    const document = yield* shownDocument(query, shown)
    if (format === "yaml") return yield* writeText(`${isRepeated ? "---\n" : ""}${yield* yamlText(document)}\n`)
    return yield* writeText(`${jsonText(document, isRepeated ? undefined : 2)}\n`)
  })
})

/** `headgate dashboard show <dashboard-id>` */
export const show = Command.make(
  "show",
  { dashboardId: dashboardIdArgument, ...showFlags },
  Effect.fnUntraced(function* ({ dashboardId, filter, from, granularity, tile, timezone, to, watch }) {
    const dashboard = yield* readDashboard(dashboardId)
    const tiles = yield* chosenTiles(tilesInOrder(dashboard.tiles ?? [], dashboard.containers), tile)
    const filters = yield* chosenFilters(dashboard, filter)
    const query: ShowQuery = {
      dashboard,
      tiles,
      from: Option.getOrElse(from, () => ago("1 hour")),
      to: Option.getOrElse(to, () => ago(0)),
      options: {
        granularity,
        timezone: timezone.name,
        ...(filters.length === 0 ? {} : { filters })
      }
    }
    if (tiles.length === 0) yield* Output.note("The dashboard has no tiles.")
    const print = yield* printer(query, timezone.zone, Option.isSome(watch))
    let shown = yield* queryTiles(query)
    let isRead = yield* print(shown)
    if (Option.isNone(watch)) return yield* checkTiles(shown)
    let failures = 0
    while (isRead) {
      failures = shown.tiles.some(isPassing) ? failures + 1 : 0
      yield* Effect.sleep(pauseAfter(watch.value, failures, shown.tiles))
      // One at a time: an older answer never replaces a newer one.
      shown = yield* queryTiles(query, shown.tiles)
      isRead = yield* print(shown)
    }
  })
).pipe(
  Command.withDescription(
    "Draw a dashboard on data: its charts at a terminal, else the answers of all tiles; exit code 1 if a tile failed"
  ),
  Command.withExamples([
    { command: "headgate dashboard show Clicks" },
    { command: "headgate dashboard show Clicks --from -7d --timezone Europe/Berlin", description: "The last week" },
    {
      command: "headgate dashboard show Clicks --filter Service=api --watch 10s",
      description: "Again each 10 seconds"
    },
    {
      command: "headgate dashboard show Clicks --tile Errors --json | jq '.tiles[0].data.rows'",
      description: "The rows"
    }
  ])
)
