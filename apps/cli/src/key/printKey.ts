import { ApiKey, CreatedApiKey } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { isExpired } from "../address/resolveName.ts"
import type { Layout } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"

/** The roles of a key by their names. A service that does not know custom roles answers `roles` alone. */
export const roleNames = ({ assignedRoles, roles }: ApiKey): string =>
  (assignedRoles?.map(({ roleId, roleName }) => roleName ?? roleId ?? "") ?? roles ?? []).join(", ")

/** The state of a key as text: an expired one is rejected, whatever its state is. */
export const stateText = (key: ApiKey, now: DateTime.Utc): string =>
  isExpired(key, now) ? "expired" : (key.state ?? "")

const keyText = (key: ApiKey, now: DateTime.Utc, layout: Layout): string => {
  const { id, name, roles, state, ...more } = key
  return detailText(masked({ name, id, roles, state: state && stateText(key, now), ...more }), layout)
}

/** Prints a key. `done`: what has happened to it. */
export const printKey = (key: ApiKey, done?: string) =>
  Effect.flatMap(DateTime.now, (now) =>
    Output.print({ text: (layout) => keyText(key, now, layout), json: Output.encoded(ApiKey, key) }, done)
  )

// The credentials of a new key are the only secret that a command shows: the service does not return them again.
const createdKeyText = ({ key, keyId, keySecret }: CreatedApiKey, layout: Layout): string => {
  const { id, name, roles, state, ...more } = key
  return detailText(
    {
      ...masked({ name, id, roles, state, ...more }),
      keyId,
      keySecret: Predicate.isUndefined(keySecret) ? undefined : Redacted.value(keySecret)
    },
    layout
  )
}

/** Prints a new key with the credentials that it has. */
export const printCreatedKey = (created: CreatedApiKey) =>
  Output.print(
    {
      text: (layout) => createdKeyText(created, layout),
      json: Output.encoded(CreatedApiKey, created)
    },
    `The secret of the new key ${created.key.id} is lost: delete or disable this key`
  )
