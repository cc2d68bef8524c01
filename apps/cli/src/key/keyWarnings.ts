import { SystemRole } from "@headgate/core"
import { isPermitted, Permission } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"

/** What a request says of the rights of a key: a request to create or change one, or the document of a file. */
interface Rights {
  readonly ipAccessList?: unknown
  readonly roles?: unknown
  readonly assignedRoleIds?: unknown
}

// Every valid key may read its own organization, also one without roles.
const useful = Permission.literals.filter((permission) => !isPermitted([], permission))

const isSystemRole = Schema.is(SystemRole)

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0

const ofAddresses = ({ ipAccessList }: Rights): ReadonlyArray<string> => {
  if (Predicate.isNullish(ipAccessList)) return ["The key works from ANY address: --allow limits it to some."]
  return isEmpty(ipAccessList) ? ["The key works from NO address: its IP access list is empty."] : []
}

const ofRoles = ({ assignedRoleIds, roles }: Rights): ReadonlyArray<string> => {
  const system = Array.isArray(roles) ? roles.filter(isSystemRole) : []
  return isEmpty(assignedRoleIds) && !useful.some((permission) => isPermitted(system, permission))
    ? ["The key can do NOTHING with pipes, keys and dashboards: its roles do not allow it. --role changes that."]
    : []
}

/** What to know of a key before it is created. */
export const creationWarnings = (request: Rights): ReadonlyArray<string> => [
  ...ofAddresses(request),
  ...ofRoles(request)
]

/** What to know before a key is changed: of the rights that the request names, the others stay. */
export const changeWarnings = (request: Rights): ReadonlyArray<string> => [
  ...("ipAccessList" in request ? ofAddresses(request) : []),
  ...("roles" in request || "assignedRoleIds" in request ? ofRoles(request) : [])
]

/** Prints warnings to stderr. */
export const warn = (warnings: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.forEach(warnings, (warning) => Output.note(`WARNING: ${warning}`), { discard: true })
