import {
  type CountedKind,
  type DocumentKindName,
  documentKinds,
  type KindName,
  kinds,
  mapKinds,
  organizationUsage
} from "@headgate/core/adapter"
import * as Struct from "effect/Struct"

/** The table of a kind, and its column with what an import finds a resource by. */
interface KindTable {
  readonly table: string
  readonly identity: string
}

/** As in `saved_search` for `savedSearch`. */
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const byId = (table: string): KindTable => ({ table, identity: "id" })

/** The table of each kind. Each has the columns `seq` and `id`, and those of its owner: `organization_id`, `service_id`. */
export const kindTables: { readonly [Kind in KindName]: KindTable } = {
  organizations: byId("organization"),
  services: byId("service"),
  endpoints: byId("reverse_private_endpoint"),
  pipes: byId("pipe"),
  roles: byId("custom_role"),
  keys: { table: "api_key", identity: "key_id_hash" },
  tokens: { table: "token", identity: "token_hash" },
  dashboards: byId("dashboard"),
  connections: byId("connection"),
  sources: byId("dashboard_source"),
  ...mapKinds<{ readonly [Kind in DocumentKindName]: KindTable }>(Struct.keys(documentKinds), (kind) =>
    byId(snakeCase(documentKinds[kind].noun))
  )
}

/** The tables of the kinds that match, in the order that foreign keys demand of a deletion: owners last. */
const tablesOf = (matches: (kind: KindName) => boolean): ReadonlyArray<string> =>
  Struct.keys(kinds)
    .filter(matches)
    .map((kind) => kindTables[kind].table)
    .toReversed()

/** The tables whose rows belong to a service, and have a column `service_id`. */
export const tablesUnderService = tablesOf((kind) => kinds[kind].owner === "service")

/** The tables whose rows belong to an organization, and have a column `organization_id`. */
export const ownedTables = tablesOf((kind) => kinds[kind].owner !== "store")

/** The tables of a snapshot's kinds. */
export const snapshotTables = tablesOf(() => true)

/** The tables with what a store keeps of an organization beside its resources: they have a column `organization_id`. */
export const organizationRecords = ["idempotent_creation", "organization_usage"] as const

/** The kinds that `organization_usage` counts, each with its column. */
export const countColumns: ReadonlyArray<readonly [kind: CountedKind, column: string]> = Struct.keys(
  Struct.omit(organizationUsage(0), ["documentBytes"])
).map((kind) => [kind, snakeCase(kind)])
