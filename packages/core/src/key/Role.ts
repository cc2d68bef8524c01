import * as Schema from "effect/Schema"

/** The roles an API key may have: a closed set. Contract: section 2.3. What each grants: `isPermitted`. */
export const Role = Schema.Literals(["admin", "developer", "query_endpoints"])
/** What {@link Role} decodes to. */
export type Role = typeof Role.Type
