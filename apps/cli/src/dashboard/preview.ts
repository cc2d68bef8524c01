import { type Dashboard, DashboardCreate } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { nameArgument } from "../address/resolveName.ts"
import * as Output from "../output/Output.ts"
import { documentDecoder, readDocument } from "../settings/document.ts"
import { token } from "../settings/settings.ts"
import { writeFile } from "../usage/writeFile.ts"
import { gridColumns, maxTiles, sectionsOf } from "./grid.ts"
import { gridSvg } from "./gridSvg.ts"
import { gridText } from "./gridText.ts"

const decode = documentDecoder(DashboardCreate, "a dashboard")

const isFile = (dashboard: string): boolean => dashboard === "-" || /\.(?:json|ya?ml)$/.test(dashboard)

const readFile = Effect.fnUntraced(function* (file: string) {
  const source = `<dashboard> ${file}`
  return yield* decode(yield* readDocument(file, token, source), source)
})

/** `headgate dashboard preview <file or id>`. `read` reads a dashboard of the service: a file needs none. */
export const preview = <E, R>(read: (idOrName: string) => Effect.Effect<Dashboard, E, R>) =>
  Command.make(
    "preview",
    {
      dashboard: nameArgument(
        "dashboard",
        "A file that ends in .json, .yaml or .yml, - for stdin, or the id or name of a dashboard"
      ),
      svg: Flag.String("svg").pipe(
        Flag.withMetavar("file"),
        Flag.withDescription("Write an SVG image to this file instead"),
        Flag.optional
      )
    },
    Effect.fnUntraced(function* ({ dashboard, svg }) {
      const drawn = isFile(dashboard) ? yield* readFile(dashboard) : yield* read(dashboard)
      const sections = sectionsOf(drawn)
      const more = (drawn.tiles?.length ?? 0) - maxTiles
      if (more > 0) yield* Output.note(`note: ${more} tiles are not drawn: a dashboard has at most ${maxTiles}.`)
      if (Option.isSome(svg)) {
        yield* writeFile(svg.value, gridSvg(drawn.name, sections))
        return yield* Output.done(`The image was written to ${svg.value}`, { file: svg.value })
      }
      if (sections.length === 0) yield* Output.note("The dashboard has no tiles.")
      yield* Output.print({
        text: (layout) => gridText(sections, layout),
        json: Effect.succeed({ columns: gridColumns, sections })
      })
    })
  ).pipe(
    Command.withDescription("Draw the tiles of a dashboard where the service shows them: in 24 columns, without gaps"),
    Command.withExamples([
      { command: "headgate dashboard preview errors.dashboard.yaml", description: "Before it is applied" },
      { command: "headgate dashboard preview Errors --svg errors.svg", description: "One of the service, as an image" }
    ])
  )
