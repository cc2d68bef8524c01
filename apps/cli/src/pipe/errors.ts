import { escapeTerminalLine } from "@headgate/command-line"
import { Pipes, type RejectedRow } from "@headgate/core"
import { mostListed } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { tableText } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { listReceived } from "../output/listReceived.ts"
import { olderOnes, pageFlags, pageQuery } from "./pageFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"

const most = mostListed.errors

/** A page with as many characters of messages may have fewer rows than were asked for. */
const manyCharacters = 128 * 1024

/** How many characters of a message a table shows. */
const shownCharacters = 200

const messageText = ({ isCut, message, messageBase64 }: RejectedRow): string => {
  const whole = message ?? `base64 ${messageBase64 ?? ""}`
  const shown = Array.from(whole.slice(0, 2 * shownCharacters))
    .slice(0, shownCharacters)
    .join("")
  return isCut || shown.length < whole.length ? `${shown}...` : shown
}

const rowOf = (row: RejectedRow): ReadonlyArray<string> =>
  [
    DateTime.formatIso(row.at),
    row.table,
    row.partition,
    `${row.from} to ${row.to}`,
    String(row.row),
    row.error,
    messageText(row)
  ].map(escapeTerminalLine)

/** `headgate pipe errors <pipe-id>` */
export const errors = Command.make(
  "errors",
  { pipeId: pipeIdArgument, ...pageFlags(most) },
  Effect.fnUntraced(function* ({ pipeId, ...page }) {
    const pipes = yield* Pipes
    const address = yield* pipeAddress(pipeId)
    const query = pageQuery(page)
    const { elements, received } = yield* listReceived(pipes.errors(address, query))
    yield* Output.print({
      text: (layout) =>
        elements.length === 0
          ? ""
          : tableText(
              [["AT", "TABLE", "PARTITION", "RANGE", "ROW", "ERROR", "MESSAGE"], ...elements.map(rowOf)],
              layout
            ),
      json: Effect.succeed(received)
    })
    const last = elements.at(-1)
    const characters = elements.reduce(
      (sum, { message, messageBase64 }) => sum + (message ?? messageBase64 ?? "").length,
      0
    )
    if (last === undefined) yield* Output.note("The pipe has no rejected rows of that time.")
    else if (elements.length >= (query.limit ?? most) || characters > manyCharacters)
      yield* Output.note(olderOnes(escapeTerminalLine(last.position)))
  })
).pipe(
  Command.withDescription(
    "List the rows that the table of a pipe did not take, the newest first; admin keys alone may"
  ),
  Command.withExamples([
    { command: "headgate pipe errors orders" },
    { command: "headgate pipe errors orders --limit 10", description: "The newest ten" },
    { command: "headgate pipe errors orders --json | jq -r '.[].message'", description: "The rows as they were read" }
  ])
)
