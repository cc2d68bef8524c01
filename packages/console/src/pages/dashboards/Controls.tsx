import { useSignal } from "@preact/signals"
import { now } from "../../data/clock.ts"
import { hrefOf, pathWith, setQuery } from "../../data/route.ts"
import { Copied } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { TimeRange } from "../../parts/timeRange/TimeRange.tsx"
import { boundsOf, writeRange, type ZonedRange } from "../../parts/timeRange/timeRange.ts"
import { type DashboardView, refreshes, usualRefresh } from "./view.ts"

const linkTo = (fields: Readonly<Record<string, string>>): string => `${location.origin}${hrefOf(pathWith(fields))}`

/** A link to what is shown: with the range as it moves, or with the times of now. It has no credentials. */
const LinkDialog = ({ onClose, zoned }: { readonly zoned: ZonedRange; readonly onClose: () => void }) => {
  const bounds = boundsOf(zoned.range, now())
  const absolute = writeRange({ ...zoned, range: { kind: "absolute", ...bounds } })
  const links = [
    ...(zoned.range.kind === "relative" ? [{ title: "The range moves with the time", text: linkTo({}) }] : []),
    { title: "The times that are shown now", text: linkTo(absolute) }
  ]
  return (
    <Dialog title="Link to this dashboard" onClose={onClose}>
      <p>
        A link holds the range, the zone, the filters and the condition. Who opens it signs in with a key of their own.
      </p>
      {links.map(({ text, title }) => (
        <div key={title}>
          <h3>{title}</h3>
          <Copied of="link" text={text} />
        </div>
      ))}
      <div class="row dialog-buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

// Tiles that do not answer do not hold up a print for ever.
const longestWait = 15_000

/** Prints the page as soon as its tiles have come. */
const print = (seeAll: () => void) => {
  seeAll()
  const since = Date.now()
  const check = () => {
    const isBusy = document.querySelector(".tile [aria-busy=true]") !== null
    if (isBusy && Date.now() - since < longestWait) setTimeout(check, 200)
    else window.print()
  }
  setTimeout(check, 300)
}

interface ControlsProps {
  readonly view: DashboardView
  readonly zoned: ZonedRange
  readonly onRefresh: () => void
  /** Reads the tiles that are out of view, too. */
  readonly onPrint: () => void
}

/** The range of a dashboard, how often it is asked for again, whether it is compared, its link, and its print. */
export const Controls = ({ onPrint, onRefresh, view, zoned }: ControlsProps) => {
  const isLinkOpen = useSignal(false)
  return (
    <div class="row controls">
      <TimeRange />
      <label>
        Refresh{" "}
        <select
          value={view.refresh}
          onChange={({ currentTarget: { value } }) => setQuery({ refresh: value === usualRefresh(zoned) ? "" : value })}
        >
          {[...refreshes.keys()].map((name) => (
            <option key={name} value={name}>
              {name === "off" ? "off" : `${name} s`}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={onRefresh}>
        Refresh now
      </button>
      <label class="row">
        <input
          type="checkbox"
          checked={view.isCompared}
          onChange={({ currentTarget }) => setQuery({ compare: currentTarget.checked ? "on" : "" })}
        />
        Compare with the period before
      </label>
      <button type="button" onClick={() => (isLinkOpen.value = true)}>
        Link …
      </button>
      <button type="button" onClick={() => print(onPrint)}>
        Print
      </button>
      {isLinkOpen.value ? <LinkDialog zoned={zoned} onClose={() => (isLinkOpen.value = false)} /> : null}
    </div>
  )
}
