import { ApiKeys } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { keyAddress, keyIdArgument } from "./keyAddress.ts"

/** `headgate key delete <id> [--yes]`. Not named `delete`, which is a reserved word. */
export const remove = Command.make(
  "delete",
  { id: keyIdArgument, yes: yesFlag },
  Effect.fnUntraced(function* ({ id, yes }) {
    const keys = yield* ApiKeys
    const address = yield* keyAddress(id)
    if (!yes) yield* confirm(`Delete key ${id} permanently?`)
    yield* keys.delete(address)
    yield* Output.done(`Key ${address.keyId} was deleted`, { id: address.keyId, deleted: true })
  })
).pipe(
  Command.withDescription("Delete an API key permanently; a key cannot delete itself"),
  Command.withExamples([{ command: "headgate key delete 51b4936f-cc64-4b62-8949-22ade4e10488 --yes" }])
)
