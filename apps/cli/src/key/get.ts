import { ApiKeys } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { keyAddress, keyIdArgument } from "./keyAddress.ts"
import { printKey } from "./printKey.ts"

/** `headgate key get <id>` */
export const get = Command.make(
  "get",
  { id: keyIdArgument },
  Effect.fnUntraced(function* ({ id }) {
    const keys = yield* ApiKeys
    yield* printKey(yield* keys.get(yield* keyAddress(id)))
  })
).pipe(
  Command.withDescription("Show an API key: its state, roles, expiry and last use; never credentials"),
  Command.withExamples([{ command: "headgate key get 51b4936f-cc64-4b62-8949-22ade4e10488" }])
)
