import { escapeTerminalLine } from "@headgate/command-line"
import type { Dashboard } from "@headgate/core"
import { granularities } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { timeFlag } from "../chart/timeFlag.ts"
import { NameNotFound, UsageError } from "../error/CommandError.ts"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { invalidValue, validate } from "../usage/validate.ts"

const timezone = Flag.String("timezone").pipe(
  Flag.withMetavar("zone"),
  Flag.withDescription(
    "Time zone of days and weeks and of the times that are shown, such as Europe/Berlin; UTC by default"
  ),
  Flag.mapEffect((text) =>
    Option.match(DateTime.zoneMakeNamed(text), {
      onNone: () =>
        Effect.fail(
          invalidValue({ kind: "flag", name: "timezone" }, text, "Expected a time zone such as UTC or Europe/Berlin")
        ),
      // Its name as it was given: one that was renamed may have the older name here.
      onSome: (zone) => Effect.succeed({ name: text, zone })
    })
  ),
  Flag.withDefault({ name: "UTC", zone: DateTime.zoneMakeNamedUnsafe("UTC") })
)

const repeated = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<string>>([])
  )

const watched = ShortDuration.check(
  Schema.makeFilter((duration: Duration.Duration) => Duration.toSeconds(duration) >= 1 || "Expected at least 1s")
)

/** The flags of `dashboard show`. */
export const showFlags = {
  from: timeFlag(
    "from",
    "Where it begins: a time ago such as -1h, -15m or -7d, a date or a timestamp; 1h ago by default"
  ),
  to: timeFlag("to", "Where it ends, like --from; now by default"),
  granularity: Flag.Literals("granularity", ["auto", ...granularities]).pipe(
    Flag.withMetavar("period"),
    Flag.withDescription(
      "How long a period of charts over time is, such as 1m or 1h; auto by default: at most 60 periods"
    ),
    Flag.withDefault("auto" as const)
  ),
  timezone,
  tile: repeated("tile", "name", "Only the tile with this name or id; repeat for more"),
  filter: repeated(
    "filter",
    "name=value",
    "Choose a value of a filter of the dashboard; repeat for several values and filters"
  ),
  watch: Flag.String("watch").pipe(
    Flag.withMetavar("duration"),
    Flag.withDescription("Show it again after this time, such as 10s, until Ctrl-C"),
    Flag.mapEffect(validate({ kind: "flag", name: "watch" }, watched)),
    Flag.optional
  )
}

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `"${escapeTerminalLine(name)}"`).join(", ")

const unknown = (flag: string, what: string, name: string, known: ReadonlyArray<string>) => {
  const has = known.length === 0 ? "It has none." : `It has ${quoted(known)}.`
  return new NameNotFound({ message: `${flag}: the dashboard has no ${what} "${escapeTerminalLine(name)}". ${has}` })
}

interface Named {
  readonly id: string
  readonly name?: string | null | undefined
}

/** The tiles that `--tile` names, in the order of all; all without it. */
export const chosenTiles = Effect.fnUntraced(function* <Tile extends Named>(
  tiles: ReadonlyArray<Tile>,
  names: ReadonlyArray<string>
) {
  for (const name of names) {
    if (tiles.some((tile) => tile.name === name || tile.id === name)) continue
    return yield* unknown(
      "--tile",
      "tile",
      name,
      tiles.map(({ id, name }) => name ?? id)
    )
  }
  return names.length === 0 ? tiles : tiles.filter(({ id, name }) => names.includes(id) || names.includes(name ?? ""))
})

/** The filters of a dashboard that have a name and an id. */
const filtersOf = ({ filters }: Dashboard): ReadonlyArray<{ readonly id: string; readonly name: string }> =>
  (filters ?? []).flatMap((filter) =>
    Predicate.hasProperty(filter, "id") && Predicate.isString(filter.id) ? [{ id: filter.id, name: filter.name }] : []
  )

/** What `--filter` chooses: the values of each filter, of which any may be that of a row. */
export const chosenFilters = Effect.fnUntraced(function* (dashboard: Dashboard, texts: ReadonlyArray<string>) {
  const filters = filtersOf(dashboard)
  const chosen = new Map<string, Array<string>>()
  for (const text of texts) {
    if (!text.includes("=")) {
      return yield* new UsageError({
        message: `--filter: expected name=value, such as Service=api, got "${escapeTerminalLine(text)}".`
      })
    }
    // A name may have an equals sign.
    const named = filters.filter(({ name }) => text.startsWith(`${name}=`))
    const filter = named.toSorted((one, other) => other.name.length - one.name.length)[0]
    if (filter === undefined) {
      return yield* unknown(
        "--filter",
        "filter",
        text.slice(0, text.indexOf("=")),
        filters.map(({ name }) => name)
      )
    }
    const value = text.slice(filter.name.length + 1)
    chosen.set(filter.id, [...(chosen.get(filter.id) ?? []), value])
  }
  return Array.from(chosen, ([filterId, values]) => ({ filterId, in: values }))
})
