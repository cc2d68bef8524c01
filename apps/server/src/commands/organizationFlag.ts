import { OrganizationId, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { StartupError, UsageError } from "../StartupError.ts"
import { harmlessJson } from "./output.ts"

/** What is expected where there is no id. */
export const aUuid = () => "a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"

/** `--organization`: may be left out where the store holds only one. */
export const organizationFlag = Flag.String("organization").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("Organization that is meant; may be left out if there is only one"),
  Flag.filterMap(Schema.decodeUnknownOption(OrganizationId), aUuid),
  Flag.optional
)

/**
 * The organization that is meant. Fails with `UsageError` when there are several to choose from, with `StartupError` when
 * there is no such one.
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
  const known = organizations.map(({ id, name }) => `\n  ${id}  ${harmlessJson(name)}`).join("")
  return yield* Option.isSome(wanted)
    ? new StartupError({ message: `--organization ${wanted.value}: the store holds no such organization, but${known}` })
    : new UsageError({ message: `the store holds several organizations: pass --organization with one of${known}` })
})
