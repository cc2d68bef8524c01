import * as Context from "effect/Context"
import { Conflict } from "../error/CallError.ts"

/** What an organization holds, or the most that it may hold. */
export interface OrganizationUsage {
  readonly keys: number
  readonly dashboards: number
  /** The bytes of its keys, pipes and dashboards as JSON. */
  readonly documentBytes: number
}

/**
 * The most that an organization may hold; `Infinity` for no limit. Adapters read it in each creation. Imports of snapshots
 * are not limited. The contract shows no limits: these are decided.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import { OrganizationLimits } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const limits = { keys: 10, dashboards: 50, documentBytes: Infinity }
 * export const create = (organizationId: OrganizationId) =>
 *   ApiKeys.use((keys) => keys.create(organizationId, { name: "ci" })).pipe(
 *     Effect.provideService(OrganizationLimits, limits)
 *   )
 * ```
 */
export const OrganizationLimits = Context.Reference<OrganizationUsage>("@headgate/core/access/OrganizationLimits", {
  defaultValue: () => ({ keys: 100, dashboards: 1000, documentBytes: 32 * 1024 * 1024 })
})

const conflict = (limit: string, remedy: string) =>
  new Conflict({ message: `the organization has reached its limit of ${limit}: ${remedy}, or have the limit raised` })

/**
 * The `Conflict` (HTTP 409) of a creation that makes `usage` larger than a limit; it names the limit. `usage` counts what is
 * being created: a store compares it in the transaction of the creation, which then rolls back.
 *
 * @example
 * ```ts
 * import type { ApiKeyCreate, OrganizationId } from "@headgate/core"
 * import { type ApiKeyRecord, duplicateKeyId, exceededLimit, makeApiKey } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `ApiKeys.create` over an array. No yield between the checks and the push, so no other fiber runs in between.
 * const records: Array<ApiKeyRecord> = []
 * const limits = { keys: 100, dashboards: 0, documentBytes: Infinity }
 * export const create = Effect.fn("create")(function* (organizationId: OrganizationId, request: ApiKeyCreate) {
 *   const { created, record } = yield* makeApiKey(organizationId, request)
 *   const own = records.filter((stored) => stored.organizationId === organizationId)
 *   const exceeded = exceededLimit("keys", { keys: own.length + 1, dashboards: 0, documentBytes: 0 }, limits)
 *   if (exceeded !== undefined) return yield* exceeded
 *   if (records.some(({ keyIdHash }) => keyIdHash === record.keyIdHash)) return yield* duplicateKeyId()
 *   records.push(record)
 *   return created
 * })
 * ```
 */
export const exceededLimit = (
  created: "keys" | "dashboards",
  usage: OrganizationUsage,
  limits: OrganizationUsage
): Conflict | undefined => {
  if (usage[created] > limits[created]) return conflict(`${limits[created]} ${created}`, "delete one")
  return usage.documentBytes > limits.documentBytes
    ? conflict(`${limits.documentBytes} bytes of documents`, "delete some")
    : undefined
}
