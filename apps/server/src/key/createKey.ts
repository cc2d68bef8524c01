import { type ApiKeyCreate, ApiKeys, type CreatedApiKey, type OrganizationId } from "@headgate/core"
import { formatTimestamp } from "@headgate/core/adapter"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { managementDocument } from "../http/envelope.ts"

const written = (instant: DateTime.Utc | null | undefined): string | null | undefined =>
  Predicate.isNullish(instant) ? instant : formatTimestamp(instant)

/** What `Schema.fromJsonString(CreatedApiKey)` writes, at a third of the cost (a test holds it): the secret is in it. */
export const createdKeyText = (created: CreatedApiKey): string => {
  const { createdAt, expireAt, usedAt } = created.key
  return JSON.stringify({
    ...created,
    key: { ...created.key, createdAt: written(createdAt), expireAt: written(expireAt), usedAt: written(usedAt) },
    keySecret: created.keySecret && Redacted.value(created.keySecret)
  })
}

/** Creates a key and answers with it: what the route does, and what is answered straight away. Contract: section 4.2. */
export const createKey = Effect.map(
  ApiKeys,
  (keys) => (organizationId: OrganizationId, request: ApiKeyCreate) =>
    managementDocument(Effect.map(keys.create(organizationId, request), createdKeyText))
)
