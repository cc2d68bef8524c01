import { escapeTerminalLine } from "@headgate/command-line"
import { type PipeEvent, Pipes } from "@headgate/core"
import { mostListed } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { tableText } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { listReceived } from "../output/listReceived.ts"
import { olderOnes, pageFlags, pageQuery } from "./pageFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

const most = mostListed.events

/** What changed the state, and which key or process it was. */
const byText = ({ by, key, mover }: PipeEvent): string =>
  [by, key?.name ?? key?.id ?? mover ?? ""].filter((part) => part !== "").join(" ")

const rowOf = (event: PipeEvent): ReadonlyArray<string> =>
  [DateTime.formatIso(event.at), event.from ?? "-", event.to, byText(event), event.message ?? ""].map(
    escapeTerminalLine
  )

/** `headgate pipe events <pipe-id>` */
export const events = Command.make(
  "events",
  { pipeId: pipeIdArgument, ...pageFlags(most) },
  Effect.fnUntraced(function* ({ pipeId, ...page }) {
    const pipes = yield* Pipes
    const address = yield* pipeAddress(pipeId)
    const query = pageQuery(page)
    const { elements, received } = yield* listReceived(pipes.events(address, query))
    yield* Output.print({
      text: (layout) =>
        elements.length === 0 ? "" : tableText([["AT", "FROM", "TO", "BY", "MESSAGE"], ...elements.map(rowOf)], layout),
      json: Effect.succeed(received)
    })
    const last = elements.at(-1)
    if (last === undefined) yield* Output.note("The pipe has no events of that time.")
    else if (elements.length >= (query.limit ?? most)) yield* Output.note(olderOnes(escapeTerminalLine(last.position)))
  })
).pipe(
  Command.withDescription("List the changes of a pipe's state, the newest first: when, by whom and why"),
  Command.withExamples([
    { command: "headgate pipe events orders" },
    { command: "headgate pipe events orders --limit 20 --before 117", description: "The 20 before the one at 117" },
    {
      command: `headgate pipe events orders --json | jq -r '.[] | select(.to == "Failed") | .at + " " + .message'`,
      description: "When it failed, and why"
    }
  ])
)
