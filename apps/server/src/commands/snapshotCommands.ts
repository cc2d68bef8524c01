import { jsonText, write } from "@headgate/command-line"
import { Snapshots } from "@headgate/core"
import { dialectNames, dialects, snapshotCodec } from "@headgate/http-contract"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { storeFlags, type StoreOptions } from "../store/chooseStore.ts"
import { readImport } from "../store/importDocument.ts"

/** `headgate-server export`: writes the whole store to stdout, as one document that `--import` reads. */
export const exportCommand = Command.make(
  "export",
  {
    ...storeFlags,
    dialect: Flag.Literals("dialect", dialectNames).pipe(
      Flag.withDescription("The names in the document: dbpipes or clickpipes"),
      Flag.withDefault("neutral" as const)
    ),
    withSecrets: Flag.Boolean("with-secrets").pipe(
      Flag.withDescription(
        "Add the credentials of pipes, connections and webhooks, sealed, for a store with the same key"
      ),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ dialect, withSecrets }) {
    const snapshots = yield* Snapshots
    const snapshot = yield* withSecrets ? snapshots.exportWithSecrets : snapshots.export
    const document = yield* Effect.orDie(Schema.encodeEffect(snapshotCodec(dialects[dialect]))(snapshot))
    yield* write(jsonText(document, 2), "The snapshot is not complete")
  })
).pipe(
  Command.withDescription("Write the whole store as one JSON document that --import reads; no secrets but hashes"),
  Command.withExamples([
    { command: "headgate-server export --data /var/lib/headgate > backup.json", description: "A backup" },
    {
      command: "headgate-server export --with-secrets > backup.json",
      description: "A backup with credentials, for which the sealing key is needed as well"
    }
  ])
)

// In a container of a gateway the environment names the upstream.
const isForGateway = Effect.map(
  Effect.option(Config.String("HEADGATE_UPSTREAM")),
  Option.exists((url) => url !== "")
)

/**
 * `headgate-server import`: adds what a snapshot holds and the store does not. The file is checked before the store is
 * opened, and the store is created if it does not exist.
 */
export const importCommand = <E>(storeOf: (options: StoreOptions) => Layer.Layer<Snapshots, E>) =>
  Command.make(
    "import",
    {
      ...storeFlags,
      file: Argument.String("file.json").pipe(Argument.withDescription("The document, as export writes it")),
      dialect: Flag.Literals("dialect", dialectNames).pipe(
        Flag.withDescription("The names in the document: dbpipes or clickpipes"),
        Flag.withDefault("neutral" as const)
      )
    },
    (options) =>
      isForGateway.pipe(
        Effect.flatMap((isGateway) =>
          readImport("import", options.file, { dialect: dialects[options.dialect], isGateway })
        ),
        Effect.flatMap(Effect.provide(storeOf(options))),
        Effect.flatMap((report) => write(report))
      )
  ).pipe(
    Command.withDescription("Add what a snapshot holds and the store does not, to restore a backup or to move a store"),
    Command.withExamples([
      { command: "headgate-server import backup.json --data /var/lib/headgate", description: "Restore a backup" }
    ])
  )
