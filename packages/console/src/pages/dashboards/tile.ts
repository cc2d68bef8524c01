import type { RequestOf, ResultOf } from "../../data/call.ts"
import type { calls } from "../../data/calls.ts"
import { type Fields, isFields } from "../../format/fields.ts"
import { type Cells, inside } from "./grid.ts"

/** A dashboard, as it is answered. */
export type Dashboard = Awaited<ReturnType<typeof calls.dashboard.get>>
/** A tile of it. */
export type Tile = NonNullable<Dashboard["tiles"]>[number]

/** The fields of a value; none if it is no object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** The objects of a list; none for any other value. */
export const objectsOf = (value: unknown): ReadonlyArray<Fields> =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : []

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The place of a tile, inside the grid. */
export const placeOf = ({ h, w, x, y }: Tile): Cells => inside({ x: x ?? 0, y: y ?? 0, w: w ?? 6, h: h ?? 4 })

/** The name of a tile as it is shown. */
export const nameOf = ({ name }: Tile): string => (textOf(name).trim() === "" ? "Without a name" : textOf(name))

/** How a tile is drawn: the display type of its `config`, or the type of its `series` in the older form. */
export const displayTypeOf = (tile: Tile): string => {
  const config = fieldsOf(tile.config)
  if (typeof config["displayType"] === "string") return config["displayType"]
  const [first] = objectsOf(tile.series)
  const type = textOf(first?.["type"])
  return type === "time" ? textOf(first?.["displayType"]) || "line" : type
}

/** The text of a tile that has one in place of data. */
export const markdownOf = (tile: Tile): string | undefined => {
  if (displayTypeOf(tile) !== "markdown") return undefined
  return textOf(fieldsOf(tile.config)["markdown"] ?? objectsOf(tile.series)[0]?.["content"])
}

/** Why a tile cannot be queried at all, and what to do; `undefined` for one that can. */
export const refusalOf = (tile: Tile): string | undefined => {
  const config = fieldsOf(tile.config)
  const type = displayTypeOf(tile)
  if (config["configType"] === "promql" || config["whereLanguage"] === "promql") {
    return "PromQL is not queried: give the tile a source of the warehouse."
  }
  if (type === "event_patterns") return "Patterns of events are not queried: a search shows the same rows."
  if (type === "") return "The tile has no chart: edit it and choose one."
  return undefined
}

const byPlace = (one: Tile, other: Tile): number => {
  const [a, b] = [placeOf(one), placeOf(other)]
  return a.y - b.y || a.x - b.x
}

/** The groups of tiles, as they are shown: those in no container first, then the tabs of each container. */
export interface Group {
  readonly key: string
  readonly title: string | undefined
  readonly tiles: ReadonlyArray<Tile>
}

const keyOf = (tile: Tile): string =>
  tile.containerId === undefined || tile.containerId === null ? "" : JSON.stringify([tile.containerId, tile.tabId])

/** The group that a tile is in. */
export const groupKeyOf = keyOf

const titleOf = ({ containers }: Dashboard, tile: Tile): string | undefined => {
  const container = objectsOf(containers).find(({ id }) => id === tile.containerId)
  if (container === undefined) return undefined
  const tab = objectsOf(container["tabs"]).find(({ id }) => id === tile.tabId)
  return [container["title"], tab?.["title"]].map(textOf).filter(Boolean).join(": ")
}

/**
 * The tiles of a dashboard by container, each group in the order of the grid; with `isInOrder: false` as they stand, so that one that is
 * moved keeps its element and the focus.
 */
export const groupsOf = (dashboard: Dashboard, isInOrder = true): ReadonlyArray<Group> => {
  const groups = new Map<string, Array<Tile>>([["", []]])
  for (const tile of dashboard.tiles ?? []) {
    const key = keyOf(tile)
    groups.set(key, [...(groups.get(key) ?? []), tile])
  }
  return Array.from(groups, ([key, tiles]) => ({
    key,
    title: tiles[0] === undefined ? undefined : titleOf(dashboard, tiles[0]),
    tiles: isInOrder ? tiles.toSorted(byPlace) : tiles
  })).filter(({ tiles }) => tiles.length > 0)
}

/** A filter of a dashboard: how it is called, and which values it offers. */
export interface Filter {
  readonly id: string
  readonly name: string
  /** The values that can be chosen, where the dashboard has them. */
  readonly options: ReadonlyArray<string> | undefined
  /** What the values are read of, where a source has them. */
  readonly expression: { readonly sourceId: string; readonly of: string } | undefined
  /** Whether one value at most is chosen. */
  readonly isSingle: boolean
}

/** The filters of a dashboard. */
export const filtersOf = (dashboard: Dashboard): ReadonlyArray<Filter> =>
  objectsOf(dashboard.filters).flatMap((filter) => {
    const id = textOf(filter["id"])
    const [of, sourceId] = [textOf(filter["expression"]), textOf(filter["sourceId"])]
    if (id === "") return []
    return [
      {
        id,
        name: textOf(filter["name"]) || id,
        options: Array.isArray(filter["options"]) ? filter["options"].map(String) : undefined,
        expression: of === "" || sourceId === "" ? undefined : { of, sourceId },
        isSingle: filter["maxSelections"] === 1
      }
    ]
  })

/** The request for the values of a filter, the most frequent first. */
export const valuesQuery = ({ expression }: Filter, from: number, to: number): RequestOf<typeof calls.chart.query> => ({
  tile: {
    config: {
      displayType: "bar",
      sourceId: expression?.sourceId ?? "",
      select: [{ aggFn: "count" }],
      groupBy: expression?.of ?? "",
      limit: 100
    }
  },
  from,
  to
})

/** The chart data of an answer. */
export type Answer = ResultOf<typeof calls.chart.query>
