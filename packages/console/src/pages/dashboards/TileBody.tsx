import type { ChartQuery } from "@headgate/client"
import type { ChartData } from "@headgate/core"
import { useMemo } from "preact/hooks"
import type { CallFailed } from "../../data/CallFailed.ts"
import { second } from "../../data/clock.ts"
import { setQuery } from "../../data/route.ts"
import { may } from "../../data/session.ts"
import { sentenceOf } from "../../format/sentenceOf.ts"
import { ago } from "../../format/times.ts"
import type { ZonedRange } from "../../parts/timeRange/timeRange.ts"
import { Markdown } from "./Markdown.tsx"
import { nameOf, markdownOf, refusalOf, type Tile } from "./tile.ts"
import { TileData } from "./TileData.tsx"
import { tileAdvice } from "./tileFailure.ts"
import { useTile } from "./useTile.ts"
import { type DashboardView, refreshes, requestOf } from "./view.ts"

/** What every tile of a page is asked with. */
export interface Asking {
  readonly view: DashboardView
  readonly zoned: ZonedRange
  /** The ids of the filters of the dashboard. */
  readonly filters: ReadonlyArray<string>
  /** Changes when everything is to be asked for again. */
  readonly refreshed: number
}

interface BodyProps {
  readonly tile: Tile
  /** The chart as it is asked for: stored, or not yet. */
  readonly chart: ChartQuery["tile"]
  readonly config: unknown
  readonly asking: Asking
  readonly isSeen: boolean
}

const Why = ({ children }: { readonly children: string }) => <p class="quiet tile-why">{children}</p>

const TileFailed = ({ failed, refresh }: { readonly failed: CallFailed; readonly refresh: () => void }) => (
  <div class="tile-failed">
    <p>
      <strong>{sentenceOf(failed.message)}</strong> {tileAdvice(failed)}
      {failed.requestId === undefined ? null : <small> Request {failed.requestId}</small>}
    </p>
    <button type="button" onClick={refresh}>
      Try again
    </button>
  </div>
)

const NoRows = ({ zoned }: { readonly zoned: ZonedRange }) => (
  <div class="quiet tile-why">
    <p>No rows in this range.</p>
    {zoned.range.kind === "relative" && zoned.range.length === "7d" ? null : (
      <button type="button" onClick={() => setQuery({ range: "7d", from: "", to: "" })}>
        Show the last 7 days
      </button>
    )}
  </div>
)

const Queried = ({ asking, chart, config, isSeen, tile }: BodyProps) => {
  const { filters, refreshed, view, zoned } = asking
  const { refresh: name, ...question } = view
  const languages = navigator.languages
  const writing = useMemo(() => ({ zone: zoned.zone, languages }), [zoned.zone])
  const { failed, isLoading, picture, refresh } = useTile({
    key: JSON.stringify([chart, zoned, question, filters]),
    request: (now) => requestOf(chart, view, zoned, now, filters),
    interval: refreshes.get(name),
    isSeen,
    refreshed
  })
  // The rows are those of the display type that the answer names.
  const data = picture?.data as ChartData | undefined
  return (
    <div class="tile-content" aria-busy={isLoading}>
      {failed !== undefined && data !== undefined ? (
        <p class="stale">
          <strong>{sentenceOf(failed.message)}</strong> {tileAdvice(failed)} Shown is what was read{" "}
          {ago(picture?.at, second.value)}.
        </p>
      ) : null}
      {failed !== undefined && data === undefined ? <TileFailed failed={failed} refresh={refresh} /> : null}
      {data === undefined && failed === undefined ? <p class="loading">Loading …</p> : null}
      {data === undefined || picture === undefined ? null : data.rows.length === 0 ? (
        <NoRows zoned={zoned} />
      ) : (
        <TileData name={nameOf(tile)} data={data} at={picture.at} config={config} writing={writing} />
      )}
    </div>
  )
}

/** What a tile shows: its data, its text, or why there is neither. */
export const TileBody = (props: BodyProps) => {
  const { tile } = props
  const text = markdownOf(tile)
  const refusal = refusalOf(tile)
  if (text !== undefined) {
    return text.trim() === "" ? <Why>The text is empty.</Why> : <Markdown text={text} />
  }
  if (refusal !== undefined) return <Why>{refusal}</Why>
  if (!may("chart:query")) return <Why>Rows are read by the role admin: sign in with a key that has it.</Why>
  return <Queried {...props} />
}
