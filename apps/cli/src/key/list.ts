import { escapeTerminalLine, table } from "@headgate/command-line"
import { type ApiKey, ApiKeys, OrganizationId } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Command from "effect/cli/Command"
import * as Output from "../output/Output.ts"
import { listReceived } from "../output/listReceived.ts"
import * as Setting from "../settings/Setting.ts"
import { organization } from "../settings/settings.ts"

const timeText = (time: DateTime.Utc | null | undefined): string =>
  Predicate.isNullish(time) ? "never" : DateTime.formatIso(time).replace(".000Z", "Z")

// A service that does not know custom roles answers `roles` alone.
const roleNames = ({ assignedRoles, roles }: ApiKey): string =>
  (assignedRoles?.map(({ roleId, roleName }) => roleName ?? roleId ?? "") ?? roles ?? []).join(", ")

// Empty without keys.
const keyTable = (keys: ReadonlyArray<ApiKey>, width: number): string => {
  const rows = keys.map((key) => [
    key.id,
    escapeTerminalLine(key.name),
    key.state ?? "",
    escapeTerminalLine(roleNames(key)),
    escapeTerminalLine(key.keySuffix ?? ""),
    timeText(key.expireAt),
    timeText(key.usedAt)
  ])
  return rows.length === 0
    ? ""
    : table([["ID", "NAME", "STATE", "ROLES", "SUFFIX", "EXPIRES", "LAST USED"], ...rows], width)
}

/** `headgate key list` */
export const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const keys = yield* ApiKeys
    const organizationId = yield* Setting.decode(OrganizationId, yield* Setting.required(organization))
    const { elements, received } = yield* listReceived(keys.list(organizationId))
    yield* Output.print({ text: (width) => keyTable(elements, width), json: Effect.succeed(received) })
    if (received.length === 0) yield* Output.note("The organization has no API keys.")
  })
).pipe(
  Command.withDescription("List the API keys of the organization, without credentials"),
  Command.withExamples([
    { command: "headgate key list" },
    {
      command: "headgate key list --json | jq -r '.[] | select(.usedAt == null) | .id'",
      description: "Print the ids of the keys that were never used"
    }
  ])
)
