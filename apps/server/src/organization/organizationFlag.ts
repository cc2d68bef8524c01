import { OrganizationId } from "@headgate/core/access"
import { Snapshots } from "@headgate/core/snapshot"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { StartupError } from "../startup/StartupError.ts"

/** `--organization`: may be left out where the store holds only one. */
export const organizationFlag = Flag.String("organization").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("Organization that is meant; may be left out if there is only one"),
  Flag.withSchema(OrganizationId),
  Flag.optional
)

/** The organization that is meant. Fails with `StartupError` when there is no such one, or several to choose from. */
export const chooseOrganization = Effect.fnUntraced(function* (wanted: Option.Option<OrganizationId>) {
  const snapshots = yield* Snapshots
  const organizations = yield* snapshots.organizations
  const candidates = organizations.filter(({ id }) => Option.isNone(wanted) || id === wanted.value)
  const [only] = candidates
  if (only !== undefined && candidates.length === 1) return only.id
  const known = organizations.map(({ id, name }) => `\n  ${id}  ${JSON.stringify(name)}`).join("")
  return yield* new StartupError({
    message:
      organizations.length === 0
        ? "the store holds no organization yet: start the server once, or import a snapshot"
        : Option.isSome(wanted)
          ? `--organization ${wanted.value}: the store holds no such organization, but${known}`
          : `the store holds several organizations: pass --organization with one of${known}`
  })
})
