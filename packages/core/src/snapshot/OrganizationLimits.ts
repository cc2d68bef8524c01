import * as Context from "effect/Context"
import { Conflict } from "../error/CallError.ts"
import { type CountedKind, kindNames, kinds, mapKinds } from "./kinds.ts"

/** What an organization holds, or the most that it may hold: the number of each kind, and the bytes of all as JSON. */
export type OrganizationUsage = { readonly [Count in CountedKind | "documentBytes"]: number }

type Counts = { readonly [Kind in CountedKind]: number }

const countedKinds: ReadonlyArray<CountedKind> = kindNames.filter(
  (kind) => kind !== "organizations" && kind !== "services" && kind !== "tokens"
)

/**
 * The usage with the same value for each count: `organizationUsage(0)` is an empty organization, `organizationUsage(Infinity)`
 * are no limits.
 */
export const organizationUsage = (value: number): OrganizationUsage => ({
  ...mapKinds<Counts>(countedKinds, () => value),
  documentBytes: value
})

/**
 * The most that an organization may hold; `Infinity` for no limit. Adapters read it in each creation. Imports of snapshots
 * are not limited. The contract shows no limits: these are decided.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import { OrganizationLimits, organizationUsage } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const limits = { ...organizationUsage(Infinity), keys: 10, dashboards: 50 }
 * export const create = (organizationId: OrganizationId) =>
 *   ApiKeys.use((keys) => keys.create({ organizationId }, { name: "ci" })).pipe(
 *     Effect.provideService(OrganizationLimits, limits)
 *   )
 * ```
 */
export const OrganizationLimits = Context.Reference<OrganizationUsage>("@headgate/core/snapshot/OrganizationLimits", {
  defaultValue: () => ({
    ...mapKinds<Counts>(countedKinds, (kind) => kinds[kind].limit),
    documentBytes: 32 * 1024 * 1024
  })
})

/** The words of a name: `saved searches` of `savedSearches`. */
const wordsOf = (kind: CountedKind): string => kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Why the deletion of a pipe may not be enough. */
const keptPipes = "deleted pipes count until they are cleaned up"

const conflict = (limit: string, remedy: string) =>
  new Conflict({ message: `the organization has reached its limit of ${limit}: ${remedy}, or have the limit raised` })

/**
 * The `Conflict` (HTTP 409) of a change that makes the documents of an organization larger than its limit. As
 * `limitRules.created`, for a change that creates nothing.
 *
 * @example
 * ```ts
 * import { limitRules, organizationUsage } from "@headgate/core/adapter"
 *
 * const limits = { ...organizationUsage(Infinity), documentBytes: 100 }
 * console.log(limitRules.bytes({ ...organizationUsage(0), documentBytes: 100 }, limits)) // undefined
 * ```
 */
const exceededBytes = (usage: OrganizationUsage, limits: OrganizationUsage): Conflict | undefined =>
  usage.documentBytes > limits.documentBytes
    ? conflict(`${limits.documentBytes} bytes of documents`, `delete some (${keptPipes})`)
    : undefined

/**
 * The `Conflict` (HTTP 409) of a creation that makes `usage` larger than a limit; it names the limit. `usage` counts what is
 * being created: a store compares it in the transaction of the creation, which then rolls back.
 *
 * @example
 * ```ts
 * import type { ApiKeyCreate, OrganizationId } from "@headgate/core"
 * import { type ApiKeyRecord, keyRules, limitRules, organizationUsage } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `ApiKeys.create` over an array. No yield between the checks and the push, so no other fiber runs in between.
 * const records: Array<ApiKeyRecord> = []
 * const limits = { ...organizationUsage(Infinity), keys: 100 }
 * export const create = Effect.fn("create")(function* (organizationId: OrganizationId, request: ApiKeyCreate) {
 *   const { created, record } = yield* keyRules.make(organizationId, request)
 *   const own = records.filter((stored) => stored.organizationId === organizationId)
 *   const exceeded = limitRules.created("keys", { ...organizationUsage(0), keys: own.length + 1 }, limits)
 *   if (exceeded !== undefined) return yield* exceeded
 *   if (records.some(({ keyIdHash }) => keyIdHash === record.keyIdHash)) return yield* keyRules.duplicateId()
 *   records.push(record)
 *   return created
 * })
 * ```
 */
export const exceededLimit = (
  created: CountedKind,
  usage: OrganizationUsage,
  limits: OrganizationUsage
): Conflict | undefined => {
  if (usage[created] > limits[created]) {
    const remedy = created === "pipes" ? `delete one (${keptPipes})` : "delete one"
    return conflict(`${limits[created]} ${wordsOf(created)}`, remedy)
  }
  return exceededBytes(usage, limits)
}

/** Whether a write exceeds the limits of its organization. */
export const limitRules = {
  /** After a creation. */
  created: exceededLimit,
  /** After a change that creates nothing. */
  bytes: exceededBytes
}
