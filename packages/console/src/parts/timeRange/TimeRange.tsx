import { useSignal } from "@preact/signals"
import { CallFailed } from "../../data/CallFailed.ts"
import { now } from "../../data/clock.ts"
import { place, setQuery } from "../../data/route.ts"
import { wallOf, wallText } from "../../format/zones.ts"
import { Action } from "../Action.tsx"
import { Field } from "../Field.tsx"
import { boundsOf, checkRange, lengths, rangeLengths, readRange, writeRange, type ZonedRange } from "./timeRange.ts"

/** The range of the URL, and the zone by which its times are written. */
export const rangeOfPlace = (): ZonedRange => readRange(place.value.query)

const setRange = (zoned: ZonedRange): void => setQuery(writeRange(zoned))

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zones that the browser knows, as suggestions: any other name that it understands can be typed. */
const zones: ReadonlyArray<string> = Array.from(new Set(["UTC", ownZone, ...Intl.supportedValuesOf("timeZone")]))

const Between = ({ onClose, zoned }: { readonly zoned: ZonedRange; readonly onClose: () => void }) => {
  const bounds = boundsOf(zoned.range, now())
  const text = (instant: number) => wallText(wallOf(zoned.zone, instant))
  const input = useSignal({ from: text(bounds.from), to: text(bounds.to), zone: zoned.zone })
  const isTried = useSignal(false)
  const checked = checkRange(input.value, now())
  const errors = isTried.value && "errors" in checked ? checked.errors : {}
  const apply = async () => {
    isTried.value = true
    if ("range" in checked) setRange({ range: checked.range, zone: input.value.zone })
    else throw new CallFailed("The range is wrong.", { status: 400 })
  }
  const set = (name: "from" | "to" | "zone", value: string) => {
    input.value = { ...input.value, [name]: value }
  }
  return (
    <Action title="Custom range" verb="Apply" run={apply} onClose={onClose}>
      {(["from", "to"] as const).map((name) => (
        <Field key={name} label={name === "from" ? "From" : "To"} error={errors[name]}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              step="1"
              value={input.value[name]}
              onInput={(event) => set(name, event.currentTarget.value)}
            />
          )}
        </Field>
      ))}
      <Field label="Time zone" help={`The clocks that the times are of. Here: ${ownZone}.`} error={errors.zone}>
        {(control) => (
          <input
            {...control}
            list="zones"
            value={input.value.zone}
            onInput={(event) => set("zone", event.currentTarget.value)}
          />
        )}
      </Field>
      <datalist id="zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Action>
  )
}

/** Chooses the range of the URL and its zone. A relative range moves with the time, also in a link. */
export const TimeRange = () => {
  const zoned = rangeOfPlace()
  const { range, zone } = zoned
  const isOpen = useSignal(false)
  const offered = Array.from(new Set(["UTC", ownZone, zone]))
  return (
    <div class="row time-range">
      <label>
        <span class="hidden-label">Time range</span>
        <select
          value={range.kind === "relative" ? range.length : "between"}
          onChange={({ currentTarget }) => {
            const length = rangeLengths.find((name) => name === currentTarget.value)
            if (length !== undefined) setRange({ range: { kind: "relative", length }, zone })
            else {
              isOpen.value = true
              currentTarget.value = range.kind === "relative" ? range.length : "between"
            }
          }}
        >
          {rangeLengths.map((length) => (
            <option key={length} value={length}>
              {lengths[length].name}
            </option>
          ))}
          <option value="between">Custom range …</option>
        </select>
      </label>
      {range.kind === "absolute" ? (
        <button type="button" onClick={() => (isOpen.value = true)}>
          {[range.from, range.to].map((instant) => wallText(wallOf(zone, instant)).replace("T", " ")).join(" to ")}
        </button>
      ) : null}
      <label>
        <span class="hidden-label">Time zone</span>
        <select value={zone} onChange={({ currentTarget }) => setRange({ range, zone: currentTarget.value })}>
          {offered.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isOpen.value ? <Between zoned={zoned} onClose={() => (isOpen.value = false)} /> : null}
    </div>
  )
}
