import { Snapshots } from "@headgate/core"
import { neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { StartupError } from "../StartupError.ts"
import type { StoreOptions } from "../store/chooseStore.ts"
import { importDocument } from "../store/importDocument.ts"
import { demoDocument, demoOrganizationId } from "./demoContent.ts"

/**
 * Imports what a demo shows into an empty store. A store that has it already stays as it is, with what was changed or deleted. Fails for a
 * store with other data.
 */
export const importDemo = Effect.fn("importDemo")(function* ({ data }: StoreOptions) {
  const snapshots = yield* Snapshots
  const organizations = yield* snapshots.organizations
  if (organizations.some(({ id }) => id === demoOrganizationId)) return
  const [other] = organizations
  if (other !== undefined) {
    const name = other.name === "" ? other.id : JSON.stringify(other.name)
    return yield* new StartupError({
      message: `--demo needs a store of its own, and the one in ${Option.getOrElse(data, () => ".headgate")} has the organization ${name}: pass --data with another directory, or leave out --demo`
    })
  }
  yield* importDocument(demoDocument, { dialect: neutral, isGateway: false }).pipe(
    Effect.mapError(
      ({ message }) => new StartupError({ message: `what the demo shows cannot be imported: ${message}` })
    )
  )
})
