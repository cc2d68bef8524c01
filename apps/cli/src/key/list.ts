import { ApiKey, ApiKeys } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Flag from "effect/cli/Flag"
import { organizationId } from "../address/nouns.ts"
import { listCommand } from "../list/listCommand.ts"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { validate } from "../usage/validate.ts"
import { roleNames, stateText } from "./printKey.ts"

const timeText = (time: DateTime.Utc | null | undefined): string =>
  Predicate.isNullish(time) ? "never" : DateTime.formatIso(time).replace(".000Z", "Z")

/** Whether a key has not been used since a time. A newer key is not meant: it may only not have been used yet. */
const isUnusedSince =
  (time: DateTime.Utc) =>
  ({ createdAt, usedAt }: ApiKey): boolean =>
    [createdAt, usedAt].every((used) => Predicate.isNullish(used) || DateTime.isLessThan(used, time))

const unusedFor = Flag.String("unused-for").pipe(
  Flag.withMetavar("duration"),
  Flag.withDescription("Only keys that are older and were not used for this long, such as 90d"),
  Flag.mapEffect(validate({ kind: "flag", name: "unused-for" }, ShortDuration)),
  Flag.mapEffect((duration) =>
    Effect.map(DateTime.now, (now) => isUnusedSince(DateTime.subtractDuration(now, duration)))
  ),
  Flag.optional
)

/** `headgate key list` */
export const list = listCommand({
  description: "List the API keys of the organization, without credentials",
  examples: [
    { command: "headgate key list" },
    { command: "headgate key list --unused-for 90d", description: "What can probably be deleted" },
    {
      command: "headgate key list --filter usedAt= --fields id,name",
      description: "The ids and names of the keys that were never used"
    }
  ],
  elements: Effect.gen(function* () {
    const keys = yield* ApiKeys
    return yield* keys.list({ organizationId: yield* organizationId })
  }),
  schema: Effect.succeed(ApiKey),
  select: { unusedFor },
  columns: {
    NAME: ({ name }) => name,
    STATE: stateText,
    ROLES: roleNames,
    SUFFIX: ({ keySuffix }) => keySuffix ?? "",
    EXPIRES: ({ expireAt }) => timeText(expireAt),
    "LAST USED": ({ usedAt }) => timeText(usedAt)
  },
  empty: "The organization has no API keys."
})
