import type { Dashboard } from "@headgate/core"
import { detailText } from "../output/detail.ts"
import { harmlessLine } from "../output/harmless.ts"
import { masked } from "../output/masked.ts"
import { columns } from "../output/columns.ts"

/** One dashboard for a reader: a line for each tile. */
export const dashboardText = ({ id, name, tags, tiles, ...more }: Dashboard): string => {
  const lines = tiles?.map(({ series, ...tile }) => ({ ...tile, series: series?.length ?? 0 }))
  return detailText(masked({ name, id, tags, ...more, tiles: lines }))
}

/** A table of dashboards; of none, nothing. */
export const dashboardTable = (dashboards: ReadonlyArray<Dashboard>): string => {
  const rows = dashboards.map(({ id, name, tags, tiles }) => [
    harmlessLine(id),
    harmlessLine(name),
    String(tiles?.length ?? 0),
    harmlessLine((tags ?? []).join(", "))
  ])
  return rows.length === 0 ? "" : columns([["ID", "NAME", "TILES", "TAGS"], ...rows]).join("\n")
}
