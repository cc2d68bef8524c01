import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../id/organization.ts"
import type { CallError } from "../error/CallError.ts"
import type { OrganizationNotFound } from "../error/NotFound.ts"
import type { Organization, Whoami } from "./Organization.ts"

/**
 * The port to organizations: they can be read. An operator of a server creates and removes them with `headgate-server
 * organization`. Contract: docs/wire-contract.md#organizations-and-whoami.
 *
 * @example
 * ```ts
 * import { Organizations } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // The only organization of an API key.
 * export const own = Effect.fn("own")(function* () {
 *   const organizations = yield* Organizations
 *   const [organization] = yield* organizations.list()
 *   return organization
 * })
 * ```
 */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** Lists the organizations: over HTTP the one of the API key, in a store all of them. */
    readonly list: () => Effect.Effect<ReadonlyArray<Organization>, CallError>
    /** Reads an organization. Fails with `OrganizationNotFound` if there is none with the id. */
    readonly get: (address: {
      readonly organizationId: OrganizationId
    }) => Effect.Effect<Organization, OrganizationNotFound | CallError>
    /** Tells who calls. A store has no caller: its answer has no fields. */
    readonly whoami: () => Effect.Effect<Whoami, CallError>
  }
>()("@headgate/core/organization/Organizations") {}
