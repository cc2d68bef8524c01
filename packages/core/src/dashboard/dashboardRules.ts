import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { InvalidRequest } from "../error/CallError.ts"
import {
  answerConfigDashboard,
  makeConfigDashboard,
  replaceConfigDashboard,
  validateConfigDashboard
} from "./config/ConfigDashboard.ts"
import type { FindReferences } from "./config/references.ts"
import type { Dashboard } from "./Dashboard.ts"
import type { DashboardCreate } from "./DashboardCreate.ts"
import type { DashboardUpdate } from "./DashboardUpdate.ts"
import type { DashboardDocument, DashboardValidation } from "./DashboardValidation.ts"
import { makeDashboard, replaceDashboard, validateDashboard } from "./makeDashboard.ts"

/**
 * What the tiles of a store's dashboards hold: `series` as in the contract, or the `config` of today's service. The ids of
 * dashboards and the order of lists go with it.
 */
export type TilesKind = "series" | "config"

/**
 * The kind of tiles of a store, read when its layer is built. `undefined`: `series`, and a store with the other kind is opened
 * too. A store in a database keeps the kind of its first server, and refuses another one while it holds dashboards.
 *
 * @example
 * ```ts
 * import { Tiles } from "@headgate/core/adapter"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Layer from "effect/Layer"
 *
 * // Dashboards as today's service has them.
 * export const layer = MemoryAdapter.layer().pipe(Layer.provide(Layer.succeed(Tiles, "config")))
 * ```
 */
export const Tiles = Context.Reference<TilesKind | undefined>("@headgate/core/dashboard/Tiles", {
  defaultValue: () => undefined
})

/** The rules of a kind of tiles. `find` reads what a dashboard names, and is run only where the rules need it. */
export interface DashboardRules {
  /** Makes a new dashboard. */
  readonly create: <E>(
    request: DashboardCreate,
    find: FindReferences<E>
  ) => Effect.Effect<Dashboard, InvalidRequest | E, SecureRandom>
  /** Whether `replace` reads more of the stored dashboard than its id, for this request. */
  readonly readsStored: (request: DashboardUpdate) => boolean
  /** Makes the dashboard that replaces a stored one. */
  readonly replace: <E>(
    stored: Dashboard,
    request: DashboardUpdate,
    find: FindReferences<E>
  ) => Effect.Effect<Dashboard, InvalidRequest | E, SecureRandom>
  readonly validate: <E>(document: DashboardDocument, find: FindReferences<E>) => Effect.Effect<DashboardValidation, E>
  /** A stored dashboard as it is answered. */
  readonly answer: (stored: Dashboard) => Effect.Effect<Dashboard>
  /** The stored dashboards of an organization as they are answered. */
  readonly answerAll: (stored: ReadonlyArray<Dashboard>) => Effect.Effect<ReadonlyArray<Dashboard>>
}

const series: DashboardRules = {
  create: (request) => makeDashboard(request),
  // A tile may have the config that it has already.
  readsStored: ({ tiles }) => (tiles ?? []).some(({ config }) => config !== undefined && config !== null),
  replace: ({ id, tiles }, request) => replaceDashboard(id, request, tiles ?? []),
  validate: (document) => validateDashboard(document),
  answer: Effect.succeed,
  answerAll: Effect.succeed
}

const byName = (a: Dashboard, b: Dashboard): number => (a.name === b.name ? 0 : a.name < b.name ? 1 : -1)

const config: DashboardRules = {
  create: makeConfigDashboard,
  readsStored: () => true,
  replace: replaceConfigDashboard,
  validate: (document, find) =>
    Effect.map(validateConfigDashboard(document, find), (validation) => ({ ...validation })),
  answer: answerConfigDashboard,
  answerAll: (stored) => Effect.forEach(stored.toSorted(byName), answerConfigDashboard)
}

/**
 * The rules of a kind of tiles, which every adapter that stores dashboards uses.
 *
 * @example
 * ```ts
 * import { dashboardRules } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const find = () => Effect.succeed({ sources: [], connectionIds: [], dashboardIds: [] })
 * const validate = (tiles: "series" | "config") =>
 *   Effect.runSync(dashboardRules(tiles).validate({ tiles: [] }, find)).errors[0]?.message
 * console.log(validate("series"), "|", validate("config")) // Missing: it is required | Required
 * ```
 */
export const dashboardRules = (tiles: TilesKind | undefined): DashboardRules => (tiles === "config" ? config : series)
