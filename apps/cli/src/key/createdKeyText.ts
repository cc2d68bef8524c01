import type { CreatedApiKey } from "@headgate/core"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { detailText } from "../output/detail.ts"
import { masked } from "../output/masked.ts"

/** A new key for a reader. Its own credentials are the one secret that a command shows: nobody can ask for them again. */
export const createdKeyText = ({ key, keyId, keySecret }: CreatedApiKey): string => {
  const { id, name, roles, state, ...more } = key
  return detailText({
    ...masked({ name, id, roles, state, ...more }),
    keyId,
    keySecret: Predicate.isUndefined(keySecret) ? undefined : Redacted.value(keySecret)
  })
}
