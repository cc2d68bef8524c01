import * as Schema from "effect/Schema"
import { Permission } from "../access/Principal.ts"
import { OrganizationId } from "../id/organization.ts"
import { ApiKeyId } from "../id/key.ts"
import { SystemRole } from "../id/role.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { Timestamp } from "../schema/Timestamp.ts"

/**
 * An organization: the owner of services, API keys, tokens and dashboards. `id` and `name` are required, unknown fields
 * are kept. Contract: docs/wire-contract.md#organizations-and-whoami.
 */
export const Organization = looseStruct({
  id: OrganizationId,
  name: Schema.String.annotate({ description: "The name of the organization." }),
  createdAt: nullish(Timestamp, "The time at which the organization was created.")
}).pipe(withIdentifier("Organization", "An organization, which owns services, API keys and dashboards."))
export type Organization = typeof Organization.Type

/**
 * Who the caller of the management API is: its organization, its key, the roles of that key and what it may do. Every
 * field may be absent: the upstream service answers any object. A permission that this version does not know stays as it
 * is. Contract: docs/wire-contract.md#organizations-and-whoami.
 */
export const Whoami = looseStruct({
  organization: nullish(Organization, "The organization of the key."),
  key: nullish(
    looseStruct({ id: ApiKeyId, name: Schema.String.annotate({ description: "The name of the key." }) }).pipe(
      withIdentifier("WhoamiKey", "The key of the caller.")
    ),
    "The key that authenticated the request."
  ),
  roles: nullish(Schema.Array(SystemRole), "The roles of the key."),
  permissions: nullish(
    Schema.Array(knownString(Permission.literals)),
    "What the caller may do, by the roles of the key now. Not in the upstream service."
  )
}).pipe(withIdentifier("Whoami", "The caller of the management API."))
export type Whoami = typeof Whoami.Type
