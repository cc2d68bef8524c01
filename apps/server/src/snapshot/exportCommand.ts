import { Snapshots } from "@headgate/core/snapshot"
import { dialectNames, dialects, snapshotOnWire } from "@headgate/http-contract"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { StartupError } from "../startup/StartupError.ts"
import { storeFlags } from "../store/StoreOptions.ts"

/** `headgate-server export`: the whole state as one document that `--import` reads, on stdout. */
export const exportCommand = Command.make(
  "export",
  {
    ...storeFlags,
    dialect: Flag.Literals("dialect", dialectNames).pipe(
      Flag.withDescription("How names are spelled in the document"),
      Flag.withDefault("neutral" as const)
    )
  },
  Effect.fnUntraced(function* ({ dialect }) {
    const snapshots = yield* Snapshots
    const snapshot = yield* snapshots.export
    const document = yield* Effect.orDie(Schema.encodeEffect(snapshotOnWire(dialects[dialect]))(snapshot))
    const stdio = yield* Stdio.Stdio
    // A backup that could not be written must not look like one: the write is waited for, and may fail.
    yield* Stream.make(`${JSON.stringify(document, undefined, 2)}\n`).pipe(
      Stream.run(stdio.stdout()),
      Effect.mapError(({ message }) => new StartupError({ message: `the snapshot could not be written: ${message}` }))
    )
  })
).pipe(
  Command.withDescription("Write the whole state as one JSON document that --import reads; secrets only as hashes"),
  Command.withExamples([
    { command: "headgate-server export --data /var/lib/headgate > backup.json", description: "A backup" }
  ])
)
