import { PipeResume, Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../error/CommandError.ts"
import { waitFlags } from "../wait/waitFlags.ts"
import { pipeAddress, pipeIdArgument } from "./pipeAddress.ts"
import { printPipe } from "./printPipe.ts"
import { waitForActions } from "./waitForPipe.ts"

const choice = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withoutNegation, Flag.withDefault(false))

const flags = {
  from: Flag.Literals("from", ["start", "ledger", "warehouse"]).pipe(
    Flag.withDescription(
      "Where it goes on: where a new pipe would begin (start), or at the positions of the server (ledger) or of the warehouse"
    ),
    Flag.optional
  ),
  replay: choice("replay", "Insert batches again that may be in the table already"),
  skip: choice("skip", "Leave these batches out, and rows that the source no longer has"),
  acceptTable: choice(
    "accept-table",
    "Go on, where it is, with tables that were exchanged, renamed or altered on purpose"
  )
}

/** `headgate pipe resume <pipe-id> --from start|ledger|warehouse | --replay | --skip | --accept-table` */
export const resume = Command.make(
  "resume",
  { pipeId: pipeIdArgument, ...flags, ...waitFlags },
  Effect.fnUntraced(function* ({ acceptTable, from, pipeId, replay, skip, ...waiting }) {
    const decisions: ReadonlyArray<PipeResume> = [
      ...Option.match(from, { onNone: () => [], onSome: (from) => [{ from }] }),
      ...(replay ? [{ pending: "replay" as const }] : []),
      ...(skip ? [{ pending: "skip" as const }] : []),
      ...(acceptTable ? [{ acceptTable: true as const }] : [])
    ]
    const [decision] = decisions
    if (decision === undefined || decisions.length > 1) {
      const message = "Give one of --from, --replay, --skip and --accept-table: the status of the pipe says which."
      return yield* new UsageError({ message })
    }
    const pipes = yield* Pipes
    const address = yield* pipeAddress(pipeId)
    const pipe = yield* waitForActions(
      address,
      yield* pipes.resume(address, decision),
      [acceptTable ? "accept" : "resume"],
      waiting
    )
    yield* printPipe(pipe, `Pipe ${pipe.id} is ${pipe.state}`)
  })
).pipe(
  Command.withDescription("Decide how a pipe goes on that cannot go on by itself, and start it"),
  Command.withExamples([
    {
      command: "headgate pipe resume orders --from warehouse",
      description: "After the warehouse or the server's database was restored from a backup"
    },
    { command: "headgate pipe resume orders --from start --wait", description: "A topic that was made again" },
    { command: "headgate pipe resume orders --skip", description: "Without the rows that the topic has lost" },
    { command: "headgate pipe resume orders --accept-table", description: "After EXCHANGE TABLES on purpose" }
  ])
)
