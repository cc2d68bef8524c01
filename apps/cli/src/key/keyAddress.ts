import type { ApiKeyAddress } from "@headgate/core"
import * as Effect from "effect/Effect"
import { nouns, organizationId } from "../address/nouns.ts"
import { nameArgument, resolveName } from "../address/resolveName.ts"

/** The `<id>` argument of every command on one key. It is not named as `--key-id`, which is another id. */
export const keyIdArgument = nameArgument("id", "Id of the key, as in its list, or its name; not its key ID")

/** The address of a key of the organization, by its id or name. */
export const keyAddress = Effect.fnUntraced(function* (idOrName: string) {
  const id = yield* organizationId
  const address: ApiKeyAddress = { organizationId: id, keyId: yield* resolveName(nouns.key(id), idOrName, "<id>") }
  return address
})
