import { escapeTerminalLine, jsonText, table, Width, write } from "@headgate/command-line"
import { PipeId, PipeSource } from "@headgate/core"
import { type DeletedPipe, MovedPipes } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Command from "effect/cli/Command"
import { idArgument } from "../flags.ts"
import { externalResources } from "../mover/externalResources.ts"
import { StartupError, UsageError } from "../StartupError.ts"
import { storeFlags } from "../store/chooseStore.ts"
import { jsonFlag } from "./output.ts"
import { requireYes, yesFlag } from "./removalFlag.ts"

/** The command ends sooner. */
const claimTime = Duration.seconds(30)

const tablesOnly = "tables of the warehouse"

/** What is left of a deleted pipe, without its secrets. */
const describe = Effect.fnUntraced(function* ({
  address,
  attempts,
  deletedAt,
  lastError,
  record,
  warehouse
}: DeletedPipe) {
  const { source } = record.pipe
  return {
    ...address,
    name: record.pipe.name,
    kind: PipeSource.kind(source),
    remains: (yield* externalResources(address.pipeId, source)) ?? null,
    warehouse,
    deletedAt: DateTime.formatIso(DateTime.makeUnsafe(deletedAt)),
    attempts,
    lastError: lastError ?? null
  }
})

const list = Command.make(
  "list",
  { ...storeFlags, json: jsonFlag },
  Effect.fnUntraced(function* ({ json }) {
    const moved = yield* MovedPipes
    const found = yield* Effect.forEach(yield* moved.deleted(), ({ pipeId }) => moved.findDeleted(pipeId))
    const deleted = yield* Effect.forEach(found.filter(Predicate.isNotUndefined), describe)
    const text = table(
      [
        ["PIPE", "KIND", "DELETED", "TRIES", "WAREHOUSE", "LEFT", "LAST ERROR"],
        ...deleted.map(({ attempts, deletedAt, kind, lastError, pipeId, remains, warehouse }) => [
          pipeId,
          kind,
          deletedAt.replace(/\.\d+Z$/, "Z"),
          String(attempts),
          escapeTerminalLine(warehouse),
          escapeTerminalLine(remains ?? tablesOnly),
          escapeTerminalLine(lastError ?? "none")
        ])
      ],
      yield* Width
    )
    yield* write(json ? jsonText(deleted, 2) : text)
    if (deleted.length > 0) yield* Console.error("A server with the warehouse of a pipe removes what it has left.")
  })
).pipe(Command.withDescription("List the deleted pipes that have left something in their source or warehouse"))

const forget = Command.make(
  "forget",
  { ...storeFlags, id: idArgument("pipe", PipeId), yes: yesFlag },
  Effect.fnUntraced(function* ({ id, yes }) {
    const moved = yield* MovedPipes
    const found = yield* moved.findDeleted(id)
    if (found === undefined) return yield* new UsageError({ message: `no deleted pipe ${id} has left anything` })
    const { remains } = yield* describe(found)
    yield* requireYes(yes, `the record of pipe ${id}, which has left ${remains ?? tablesOnly},`)
    if ((yield* moved.claimDeleted(id, claimTime)) === undefined) {
      return yield* new StartupError({
        message: `a server removes what pipe ${id} has left at this moment: try again in two minutes`
      })
    }
    yield* moved.forget(id)
    yield* Console.error(`forgot ${id}: remove by hand what it has left: ${remains ?? tablesOnly}`)
  })
).pipe(Command.withDescription("Forget a deleted pipe whose source or warehouse is gone, with its credentials"))

/** `headgate-server cleanup`: works on the store directly, whether a server runs or not. */
export const cleanupCommands = { list, forget }
