import { jsonText } from "@headgate/command-line"
import { OrganizationId, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { StartupError, UsageError } from "../StartupError.ts"
import { expectedUuid } from "../flags.ts"

export const organizationFlag = Flag.String("organization").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("The id of the organization; may be left out if the store holds only one"),
  Flag.filterMap(Schema.decodeUnknownOption(OrganizationId), expectedUuid),
  Flag.optional
)

/**
 * The organization of `--organization`, or the only one. Fails with `UsageError` if the flag is needed, with `StartupError`
 * if there is no such organization.
 */
export const chooseOrganization = Effect.fnUntraced(function* (wanted: Option.Option<OrganizationId>) {
  const snapshots = yield* Snapshots
  const organizations = yield* snapshots.organizations
  const candidates = organizations.filter(({ id }) => Option.isNone(wanted) || id === wanted.value)
  const [only] = candidates
  if (only !== undefined && candidates.length === 1) return only.id
  if (organizations.length === 0) {
    return yield* new StartupError({
      message: "the store holds no organization yet: start the server once, or import a snapshot"
    })
  }
  const known = organizations.map(({ id, name }) => `\n  ${id}  ${jsonText(name)}`).join("")
  return yield* Option.isSome(wanted)
    ? new StartupError({ message: `--organization ${wanted.value}: the store holds no such organization, but${known}` })
    : new UsageError({ message: `the store holds several organizations: pass --organization with one of${known}` })
})
