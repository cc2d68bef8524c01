import { Dashboard, Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { columns } from "../output/columns.ts"
import { escapeTerminalLine } from "../output/escapeTerminal.ts"

const encode = Schema.encodeEffect(Schema.Array(Dashboard))

// Empty without dashboards.
const dashboardTable = (dashboards: ReadonlyArray<Dashboard>): string => {
  const rows = dashboards.map(({ id, name, tags, tiles }) => [
    escapeTerminalLine(id),
    escapeTerminalLine(name),
    String(tiles?.length ?? 0),
    escapeTerminalLine((tags ?? []).join(", "))
  ])
  return rows.length === 0 ? "" : columns([["ID", "NAME", "TILES", "TAGS"], ...rows]).join("\n")
}

/** `headgate dashboard list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const dashboards = yield* Dashboards
    const all = yield* dashboards.list()
    yield* Output.print({ text: () => dashboardTable(all), json: Effect.orDie(encode(all)) })
    if (all.length === 0) {
      yield* Output.note("No dashboards yet: create one with `headgate dashboard create --name <name>`.")
    }
  })
).pipe(
  Command.withDescription("List all dashboards"),
  Command.withExamples([
    { command: "headgate dashboard list" },
    { command: "headgate dashboard list --json > dashboards.json", description: "With all tiles, for version control" }
  ])
)
