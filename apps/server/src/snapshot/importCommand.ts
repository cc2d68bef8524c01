import { dialectNames, dialects } from "@headgate/http-contract"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { importFile } from "../startup/importFile.ts"
import { storeFlags } from "../store/StoreOptions.ts"

/** `headgate-server import`: adds what a snapshot holds and the store does not. A store that is not there is made. */
export const importCommand = Command.make(
  "import",
  {
    ...storeFlags,
    file: Argument.String("file.json").pipe(Argument.withDescription("The document, as export writes it")),
    dialect: Flag.Literals("dialect", dialectNames).pipe(
      Flag.withDescription("How names are spelled in the document"),
      Flag.withDefault("neutral" as const)
    )
  },
  ({ dialect, file }) => importFile("import", file, dialects[dialect])
).pipe(
  Command.withDescription("Add what a snapshot holds and the store does not: restores a backup, or moves a store"),
  Command.withExamples([
    { command: "headgate-server import backup.json --data /var/lib/headgate", description: "Restore a backup" }
  ])
)
