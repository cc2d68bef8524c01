import { Dashboard } from "@headgate/core"
import * as Predicate from "effect/Predicate"
import type { Layout } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"

// One line per tile.
const dashboardText = ({ id, name, tags, tiles, ...more }: Dashboard, layout: Layout): string => {
  const lines = tiles?.map(({ config, series, ...tile }) => ({
    ...tile,
    ...(Predicate.hasProperty(config, "displayType") ? { config: config.displayType } : { series: series?.length ?? 0 })
  }))
  return detailText(masked({ name, id, tags, ...more, tiles: lines }), layout)
}

/** Prints a dashboard. `done`: what the command has done, for when it cannot be printed. */
export const printDashboard = (dashboard: Dashboard, done?: string) =>
  Output.print(
    {
      text: (layout) => dashboardText(dashboard, layout),
      json: Output.encoded(Dashboard, dashboard)
    },
    done
  )
