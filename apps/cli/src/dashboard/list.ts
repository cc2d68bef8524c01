import { Dashboard, Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import { listCommand } from "../list/listCommand.ts"

/** `headgate dashboard list` */
export const list = listCommand({
  description: "List all dashboards",
  examples: [
    { command: "headgate dashboard list" },
    { command: "headgate dashboard list --filter tags=orders --fields id,name", description: "Those with a tag" },
    { command: "headgate dashboard list --json > dashboards.json", description: "With all tiles, for version control" }
  ],
  elements: Effect.gen(function* () {
    const dashboards = yield* Dashboards
    return yield* dashboards.list()
  }),
  schema: Effect.succeed(Dashboard),
  columns: {
    NAME: ({ name }) => name,
    TILES: ({ tiles }) => String(tiles?.length ?? 0),
    TAGS: ({ tags }) => (tags ?? []).join(", ")
  },
  empty: "No dashboards yet: create one with `headgate dashboard create --name <name>`."
})
