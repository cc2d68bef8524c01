import { type ApiKey, type ApiKeyCreate, ApiKeys, type CreatedApiKey, makeCredentials, RoleId } from "@headgate/core"
import { keySuffix } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { isExpired } from "../address/resolveName.ts"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import type { StoredProfile } from "../settings/Profile.ts"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { currentProfile } from "../settings/settings.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { validate } from "../usage/validate.ts"
import { keyAddress, keyIdArgument } from "./keyAddress.ts"
import { creationWarnings, warn } from "./keyWarnings.ts"
import { printCreatedKey, roleNames } from "./printKey.ts"
import { creatingIn, inProfile, type Place, placeOf, storeFlags } from "./storeCredentials.ts"

const flags = {
  overlap: Flag.String("overlap").pipe(
    Flag.withMetavar("duration"),
    Flag.withDescription("How long the old key still works, such as 1h or 7d; 24h by default"),
    Flag.withDefault("24h"),
    Flag.mapEffect(validate({ kind: "flag", name: "overlap" }, ShortDuration))
  ),
  deleteExpired: Flag.Boolean("delete-expired").pipe(
    Flag.withDescription("Also delete the keys of the same name that have expired"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  ...storeFlags,
  yes: yesFlag
}

const decodeRoleIds = Schema.decodeUnknownOption(Schema.Array(RoleId))

// A service that knows no custom roles answers `roles` alone.
const rolesOf = ({ assignedRoles, roles }: ApiKey): Pick<ApiKeyCreate, "assignedRoleIds" | "roles"> => {
  const ids = decodeRoleIds((assignedRoles ?? []).map(({ roleId }) => roleId))
  if (Option.isSome(ids) && ids.value.length > 0) return { assignedRoleIds: ids.value }
  return roles === null || roles === undefined || roles.length === 0 ? {} : { roles }
}

/** The request for a key with the rights of another. One that expires lives as long again, from now. */
const successorOf = (key: ApiKey, now: DateTime.Utc): ApiKeyCreate => {
  const { createdAt, expireAt, ipAccessList, name, state } = key
  const expiry =
    Predicate.isNullish(expireAt) || Predicate.isNullish(createdAt)
      ? expireAt
      : DateTime.addDuration(now, DateTime.distance(createdAt, expireAt))
  return {
    name,
    ...rolesOf(key),
    ...(Predicate.isNullish(expiry) ? {} : { expireAt: expiry }),
    ...(Predicate.isNullish(state) ? {} : { state }),
    ...(Predicate.isNullish(ipAccessList)
      ? {}
      : {
          ipAccessList: ipAccessList.map(({ description, source }) => ({
            source,
            ...(Predicate.isNullish(description) ? {} : { description })
          }))
        })
  }
}

const timeText = (time: DateTime.Utc | null | undefined): string =>
  Predicate.isNullish(time) ? "never" : DateTime.formatIso(time)

/** What the rotation does, as lines for stderr. */
const plan = (
  key: ApiKey,
  request: ApiKeyCreate,
  end: DateTime.Utc | undefined,
  expired: ReadonlyArray<ApiKey>,
  place: Option.Option<Place>
): string => {
  const addresses = request.ipAccessList?.map(({ source }) => source)
  return [
    `new key "${key.name}": roles ${roleNames(key) || "none"}; addresses ${addresses === undefined ? "any" : addresses.join(", ") || "none"}; expires ${timeText(request.expireAt)}`,
    end === undefined
      ? `old key ${key.id}: expires ${timeText(key.expireAt)}, as before`
      : `old key ${key.id}: will expire ${timeText(end)}, now ${timeText(key.expireAt)}`,
    ...expired.map(({ expireAt, id }) => `expired key ${id}: is deleted; it expired ${timeText(expireAt)}`),
    `credentials: to ${Option.match(place, { onNone: () => "stdout, shown once; --store env-file keeps them in a file", onSome: ({ label }) => label })}`
  ].join("\n")
}

/** The time at which the old key is set to expire; `undefined` if it expires earlier already. */
const endOf = ({ expireAt }: ApiKey, now: DateTime.Utc, overlap: Duration.Duration): DateTime.Utc | undefined => {
  const end = DateTime.addDuration(now, overlap)
  return Predicate.isNotNullish(expireAt) && DateTime.isLessThanOrEqualTo(expireAt, end) ? undefined : end
}

// A key tells the last characters of its ID. No other of an organization has the same, but for a chance of one in 100,000.
const usesKey = ({ profile }: StoredProfile, key: ApiKey): boolean =>
  profile.keyId !== undefined && keySuffix(profile.keyId) === key.keySuffix

/** The profile in use, whose key is replaced by default if it is the one that is rotated. */
const profileOf = Effect.fnUntraced(function* (key: ApiKey) {
  const stored = yield* currentProfile
  if (Option.isSome(stored) && usesKey(stored.value, key)) {
    return { isDefault: true, place: inProfile(stored.value) }
  }
  const why = Option.isNone(stored) ? "no profile is in use" : `the profile "${stored.value.name}" has another key`
  return { isDefault: false, place: Effect.fail(new UsageError({ message: `--store profile: ${why}.` })) }
})

/** `headgate key rotate <id>` */
export const rotate = Command.make(
  "rotate",
  { id: keyIdArgument, ...flags },
  Effect.fnUntraced(function* ({ deleteExpired, id, overlap, yes, ...where }) {
    const keys = yield* ApiKeys
    const address = yield* keyAddress(id)
    const old = yield* keys.get(address)
    const now = yield* DateTime.now
    const request = successorOf(old, now)
    const end = endOf(old, now, overlap)
    const all = deleteExpired ? yield* keys.list({ organizationId: address.organizationId }) : []
    const expired = all.filter((key) => key.name === old.name && key.id !== old.id && isExpired(key, now))
    const place = yield* placeOf(where, yield* profileOf(old))
    yield* Output.note(plan(old, request, end, expired, place))
    yield* warn(creationWarnings(request))
    if (!yes) yield* confirm(`Rotate key ${id}?`)
    const { hashData, keyId, keySecret } = yield* makeCredentials
    const creation = keys.create({ organizationId: address.organizationId }, { ...request, hashData })
    const response = yield* Option.match(place, {
      onNone: () => creation,
      onSome: (place) => creatingIn(place, { keyId, keySecret }, creation)
    })
    const created: CreatedApiKey = { ...response, keyId, ...(Option.isNone(place) ? { keySecret } : {}) }
    yield* printCreatedKey(created)
    if (end !== undefined) {
      yield* Effect.tapError(keys.update(address, { expireAt: end }), () =>
        Output.note(`note: The new key ${created.key.id} was created. The old key ${id} keeps its expiry.`)
      )
    }
    for (const key of expired) {
      yield* keys.delete({ organizationId: address.organizationId, keyId: key.id })
    }
    yield* Output.note(
      `note: The old key expires ${timeText(end ?? old.expireAt)}: use the new one before, then delete the old one.`
    )
  })
).pipe(
  Command.withDescription(
    "Create a key with the roles, the addresses and the lifetime of another, which then expires; the secret is made here and not sent"
  ),
  Command.withExamples([
    {
      command: "headgate key rotate 51b4936f-cc64-4b62-8949-22ade4e10488",
      description: "Show the plan, ask, and print the new credentials, or save them in the profile that uses the key"
    },
    {
      command: "headgate key rotate 51b4936f-cc64-4b62-8949-22ade4e10488 --overlap 7d --credentials-file new.env --yes",
      description: "In a script: the credentials go to a file"
    }
  ])
)
