import type { OrganizationId } from "@headgate/core/access"
import { type ApiKeyCreate, ApiKeys, CreatedApiKey } from "@headgate/core/key"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { managementDocument } from "../http/envelope.ts"

const writeCreated = Schema.encodeEffect(Schema.fromJsonString(CreatedApiKey))

/** Creates a key and answers with it: what the route does, and what is answered straight away. Contract: section 4.2. */
export const createKey = Effect.map(
  ApiKeys,
  (keys) => (organizationId: OrganizationId, request: ApiKeyCreate) =>
    managementDocument(
      Effect.flatMap(keys.create(organizationId, request), (created) => Effect.orDie(writeCreated(created)))
    )
)
