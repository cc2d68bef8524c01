import { type ApiKeyAddress, ApiKeyId, OrganizationId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Setting from "../settings/Setting.ts"
import { organization } from "../settings/settings.ts"
import { validate } from "../usage/validate.ts"

/** The `<id>` argument of every command on one key. It is not named as `--key-id`, which is another id. */
export const keyIdArgument = Argument.String("id").pipe(
  Argument.withDescription("UUID of the key, as in its list; not the key ID of its credentials"),
  Argument.mapEffect(validate({ kind: "argument", name: "id" }, ApiKeyId))
)

/** The address of a key in the organization of `--organization`. */
export const keyAddress = Effect.fnUntraced(function* (keyId: ApiKeyId) {
  const address: ApiKeyAddress = {
    organizationId: yield* Setting.decode(OrganizationId, yield* Setting.required(organization)),
    keyId
  }
  return address
})
