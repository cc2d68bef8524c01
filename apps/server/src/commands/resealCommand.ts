import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { storeFlags } from "../store/chooseStore.ts"
import { resealStore } from "../store/openStore.ts"

/** `headgate-server reseal`: works on the store itself. Servers that run over it have the old key, and answer with a 503. */
export const resealCommand = Command.make(
  "reseal",
  {
    ...storeFlags,
    newKeyFile: Flag.String("new-key-file").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("The new key: 32 random bytes in base64, as `openssl rand -base64 32` makes them")
    )
  },
  Effect.fnUntraced(function* ({ newKeyFile, ...options }) {
    const { fingerprint, kept, unopened } = yield* resealStore(options, newKeyFile)
    for (const context of unopened) {
      yield* Console.error(
        `${context} did not open with the old key and stays as it was: replace it, or restore a backup`
      )
    }
    if (kept !== undefined) yield* Console.error(`the old key is in ${kept}: backups from before need it`)
    yield* Console.error(`the store is sealed with the key ${fingerprint}: start its servers with that key`)
  })
).pipe(Command.withDescription("Seal the store with another key; stop its servers first"))
