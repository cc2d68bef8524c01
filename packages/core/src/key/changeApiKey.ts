import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { CallingKey } from "../access/CallingKey.ts"
import { checkVersion, versionOf, withVersion } from "../access/Version.ts"
import { Conflict, invalidRequest } from "../error/CallError.ts"
import { validate } from "../error/validate.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeyUpdate } from "./ApiKeyUpdate.ts"
import type { Role } from "./Role.ts"
import { assignRoles, roleIssues } from "./assignRoles.ts"
import type { ApiKeyId } from "../id/key.ts"
import { checkExpiry } from "./makeApiKey.ts"

const validateRequest = validate(ApiKeyUpdate)

/**
 * Checks the changes to a key before the key is read. Fails with `InvalidRequest` for a bad field.
 *
 * @example
 * ```ts
 * import type { ApiKey, ApiKeyId, ApiKeyUpdate, OrganizationId } from "@headgate/core"
 * import { keyRules, notFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `ApiKeys.update` and `ApiKeys.delete` over a map, without custom roles.
 * const keys = new Map<ApiKeyId, ApiKey>()
 * const find = (organizationId: OrganizationId, id: ApiKeyId) =>
 *   Effect.suspend(() => {
 *     const key = keys.get(id)
 *     return key === undefined ? Effect.fail(notFound("KeyNotFound", { organizationId, keyId: id })) : Effect.succeed(key)
 *   })
 * export const update = Effect.fn("update")(function* (owner: OrganizationId, id: ApiKeyId, request: ApiKeyUpdate) {
 *   const changes = yield* keyRules.validateUpdate(request)
 *   const changed = yield* keyRules.change(yield* find(owner, id), changes, [])
 *   keys.set(id, changed)
 *   return changed
 * })
 * export const remove = Effect.fn("remove")(function* (owner: OrganizationId, id: ApiKeyId) {
 *   yield* keyRules.refuseOwnDeletion(id)
 *   yield* find(owner, id)
 *   keys.delete(id)
 * })
 * ```
 */
export const validateApiKeyUpdate = Effect.fnUntraced(function* (request: ApiKeyUpdate) {
  const changes = yield* validateRequest(request)
  yield* checkExpiry(changes.expireAt)
  return changes
})

const ownKey = (what: string) =>
  new Conflict({ message: `a key cannot ${what} itself: use another key with the role admin` })

const isAdmin = ({ roles }: ApiKey): boolean => roles?.includes("admin") === true

/** The key after changes that are valid. */
const changedKey = (key: ApiKey, changes: ApiKeyUpdate, customRoles: ReadonlyArray<Role>): ApiKey => {
  const namesRoles = changes.roles !== undefined || changes.assignedRoleIds !== undefined
  const { expireAt: oldExpiry, ipAccessList: oldList, ...kept } = key
  const { expireAt = oldExpiry, ipAccessList = oldList } = changes
  return {
    ...kept,
    name: changes.name ?? key.name,
    state: changes.state ?? key.state ?? "enabled",
    ...(namesRoles ? assignRoles(changes, customRoles) : {}),
    ...(Predicate.isNotNullish(expireAt) ? { expireAt } : {}),
    ...(Predicate.isNotNullish(ipAccessList) ? { ipAccessList } : {})
  }
}

/**
 * Applies changes that {@link validateApiKeyUpdate} returned to a key. Every adapter that stores keys uses this rule.
 * `customRoles` are those roles of the organization that the changes name. Returns the key with its new version. Fails with
 * `PreconditionFailed` if the key does not have the version of `IfMatch`, with `InvalidRequest` for an unknown role, and with
 * `Conflict` if the key of the caller would disable itself or take the role `admin` from itself.
 *
 * @example
 * ```ts
 * import { type ApiKey, ApiKeyId } from "@headgate/core"
 * import { keyRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const key: ApiKey = { id: ApiKeyId.make("51b4936f-cc64-4b62-8949-22ade4e10488"), name: "ci", state: "enabled" }
 * const { name, state } = await Effect.runPromise(keyRules.change(key, { state: "disabled" }, []))
 * console.log(name, state) // ci disabled
 * ```
 */
export const changeApiKey = Effect.fnUntraced(function* (
  key: ApiKey,
  changes: ApiKeyUpdate,
  customRoles: ReadonlyArray<Role>
) {
  const version = versionOf(key) ?? 1
  yield* checkVersion(version)
  const issues = roleIssues(changes, customRoles)
  if (issues.length > 0) return yield* invalidRequest(issues)
  const changed = changedKey(key, changes, customRoles)
  if ((yield* CallingKey) === key.id) {
    if (changed.state === "disabled") return yield* ownKey("disable")
    if (isAdmin(key) && !isAdmin(changed)) return yield* ownKey("take the role admin from")
  }
  return withVersion(changed, Object.keys(changes).length === 0 ? version : version + 1)
})

/** Fails with a `Conflict` if a key would delete itself. */
export const refuseOwnDeletion = Effect.fnUntraced(function* (keyId: ApiKeyId) {
  if ((yield* CallingKey) === keyId) return yield* ownKey("delete")
})
