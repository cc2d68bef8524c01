import { SystemRole } from "@headgate/core"
import { type CallFields, isPermitted, TokenGrant } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import { operationOf } from "./operationOf.ts"

/** The permission that an operation needs, and the system roles that have it. */
const needed = (method: string, path: string): string => {
  const operation = operationOf(method, path)
  if (operation === undefined) return ""
  const roles = SystemRole.literals.filter((role) => isPermitted([role], operation.permission))
  if (isPermitted([], operation.permission)) return "Every key of the organization may send the request. "
  return `The request needs the permission ${operation.permission}, which ${roles.join(" and ")} ${roles.length === 1 ? "has" : "have"}. `
}

// Unknown of a service that does not tell them.
const held = (roles: ReadonlyArray<string> | undefined): string => {
  if (roles === undefined) return ""
  return roles.length === 0 ? "The key has no roles. " : `The key has ${roles.join(" and ")}. `
}

const isGrant = Schema.is(TokenGrant)

/** What a token may lack that is older than an operation. */
const ofToken = (method: string, path: string): string => {
  const permission = operationOf(method, path)?.permission
  return isGrant(permission)
    ? `A token that is older than the permission ${permission} gets it with 'headgate-server token grant'. `
    : ""
}

/** What a caller can do who may not send a request. Only a path of the management API has an organization. */
export const forbiddenHint = (
  { method = "", path = "" }: Partial<CallFields>,
  roles: ReadonlyArray<string> | undefined
): string =>
  path.includes("/organizations/")
    ? needed(method, path) +
      held(roles) +
      "The roles of the key, its IP access list or --organization can be the cause. 'headgate key create --help' lists what each role may do."
    : ofToken(method, path) + "The role of the token's owner or an IP access list can be the cause."
