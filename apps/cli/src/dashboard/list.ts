import { escapeTerminalLine, table } from "@headgate/command-line"
import { type Dashboard, Dashboards } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { listReceived } from "../output/listReceived.ts"

// Empty without dashboards.
const dashboardTable = (dashboards: ReadonlyArray<Dashboard>, width: number): string => {
  const rows = dashboards.map(({ id, name, tags, tiles }) => [
    escapeTerminalLine(id),
    escapeTerminalLine(name),
    String(tiles?.length ?? 0),
    escapeTerminalLine((tags ?? []).join(", "))
  ])
  return rows.length === 0 ? "" : table([["ID", "NAME", "TILES", "TAGS"], ...rows], width)
}

/** `headgate dashboard list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const dashboards = yield* Dashboards
    const { elements, received } = yield* listReceived(dashboards.list())
    yield* Output.print({ text: (width) => dashboardTable(elements, width), json: Effect.succeed(received) })
    if (received.length === 0) {
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
