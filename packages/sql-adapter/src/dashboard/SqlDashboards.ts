import {
  Dashboard,
  type DashboardCreate,
  DashboardId,
  type DashboardUpdate,
  OrganizationId,
  type ServerError
} from "@headgate/core"
import {
  builtInIds,
  checkVersion,
  notFound,
  type DashboardReferences,
  dashboardRules,
  type FindReferences,
  OrganizationDashboards,
  Tiles,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { makeCheckBytes } from "../internal/checkLimits.ts"
import { makeCreateWithinLimits } from "../internal/createWithinLimits.ts"
import { makeDeleteAlertsOf } from "./findNamed.ts"
import { sourceTable } from "./SqlSources.ts"
import { keepTilesKind } from "../internal/tilesKind.ts"
import { orServerError } from "../internal/outage.ts"
import { isStorable } from "../internal/storableText.ts"
import { forUpdate, writeTransaction } from "../internal/transaction.ts"

/** A dashboard of which nothing is read but its id. */
const unread = (id: DashboardId): Dashboard => ({ id, name: "" })

const encodeDashboard = Schema.encodeEffect(Schema.fromJsonString(Dashboard))

/** Reads what a dashboard names of the resources of its organization. */
const findReferences = (sql: SqlClient.SqlClient) => {
  const owned = (table: string, columns: Fragment, organizationId: OrganizationId, ids: ReadonlyArray<string>) => {
    // No row has an ID that no database stores.
    const storable = ids.filter(isStorable)
    return storable.length === 0
      ? Effect.succeed([])
      : sql<{ readonly id: string }>`
          SELECT ${columns} FROM ${sql(table)} WHERE organization_id = ${organizationId} AND id IN ${sql.in(storable)}`
  }
  const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)
  return (organizationId: OrganizationId): FindReferences<SqlError | Schema.SchemaError | ServerError> =>
    Effect.fnUntraced(function* ({ connectionIds, dashboardIds, sourceIds }) {
      const sources = yield* sourceTable.decode(yield* owned("dashboard_source", sql`*`, organizationId, sourceIds))
      const references: DashboardReferences = {
        sources: sources.map(({ source }) => source),
        connectionIds: [
          ...idsOf(yield* owned("connection", sql`id`, organizationId, connectionIds)),
          ...(yield* builtInIds(organizationId, connectionIds))
        ],
        dashboardIds: idsOf(yield* owned("dashboard", sql`id`, organizationId, dashboardIds))
      }
      return references
    })
}

/** Inserts a dashboard unless its id is taken. Returns whether it inserted the dashboard. */
export const makeInsertDashboard = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, dashboard: Dashboard) {
    const document = yield* encodeDashboard(dashboard)
    const inserted = yield* sql`
      INSERT INTO dashboard (id, organization_id, document)
      VALUES (${dashboard.id}, ${organizationId}, ${document})
      ON CONFLICT (id) DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })

const layer: Layer.Layer<
  OrganizationDashboards,
  MigrationError | SqlError,
  SqlClient.SqlClient | SecureRandom.SecureRandom
> = Layer.effect(
  OrganizationDashboards,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom
    const tiles = yield* Tiles
    if (tiles !== undefined) yield* keepTilesKind(sql, tiles)
    const rules = dashboardRules(tiles)
    const withRandom = Effect.provideService(SecureRandom.SecureRandom, random)
    const references = findReferences(sql)
    const insertDashboard = makeInsertDashboard(sql)
    const createWithinLimits = makeCreateWithinLimits(sql)
    const checkBytes = makeCheckBytes(sql)
    const deleteAlertsOf = makeDeleteAlertsOf(sql)

    const selectAll = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Schema.Struct({ document: Schema.fromJsonString(Dashboard) }),
      execute: (organizationId) => sql`
        SELECT document FROM dashboard WHERE organization_id = ${organizationId} ORDER BY seq`
    })

    const ofOrganization = (organizationId: string, id: string) =>
      sql`id = ${id} AND organization_id = ${organizationId}`

    const selectOne = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: DashboardId, organizationId: OrganizationId }),
      Result: Schema.Struct({ document: Schema.fromJsonString(Dashboard), version: Schema.Int }),
      execute: ({ id, organizationId }) => sql`
        SELECT document, version FROM dashboard WHERE ${ofOrganization(organizationId, id)}`
    })

    const selectLocked = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: DashboardId, organizationId: OrganizationId }),
      Result: Schema.Struct({ document: Schema.fromJsonString(Dashboard), version: Schema.Int }),
      execute: ({ id, organizationId }) => sql`
        SELECT document, version FROM dashboard WHERE ${ofOrganization(organizationId, id)} ${forUpdate(sql)}`
    })

    const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DashboardCreate) {
      const dashboard = yield* orServerError(withRandom(rules.create(request, references(organizationId))))
      yield* orServerError(createWithinLimits("dashboards", organizationId, insertDashboard(organizationId, dashboard)))
      return withVersion(dashboard, 1)
    })
    const get = Effect.fn("SqlDashboards.get")(function* (organizationId: OrganizationId, id: DashboardId) {
      const row = isStorable(id) ? yield* orServerError(selectOne({ id, organizationId })) : Option.none()
      if (Option.isNone(row)) return yield* notFound("DashboardNotFound", { dashboardId: id })
      return withVersion(yield* rules.answer(row.value.document), row.value.version)
    })

    /** What a dashboard is replaced from, locked for the transaction: the whole of it where the rules read it. */
    const lockStored = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: DashboardId,
      request: DashboardUpdate
    ) {
      if (!isStorable(id)) return undefined
      if (rules.readsStored(request)) {
        const row = Option.getOrUndefined(yield* selectLocked({ id, organizationId }))
        return row && { dashboard: row.document, version: row.version }
      }
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM dashboard WHERE ${ofOrganization(organizationId, id)} ${forUpdate(sql)}`
      return row && { dashboard: unread(id), version: row.version }
    })

    const update = Effect.fn("SqlDashboards.update")(function* (
      organizationId: OrganizationId,
      id: DashboardId,
      request: DashboardUpdate
    ) {
      // Read and written in one transaction: another writer of the same dashboard waits, and none begins again.
      const replace = Effect.gen(function* () {
        const stored = yield* lockStored(organizationId, id, request)
        // A body that is wrong is refused whether there is such a dashboard or not.
        const replaced = stored?.dashboard ?? unread(id)
        const dashboard = yield* withRandom(rules.replace(replaced, request, references(organizationId)))
        if (stored === undefined) return yield* notFound("DashboardNotFound", { dashboardId: id })
        yield* checkVersion(stored.version)
        const document = yield* encodeDashboard(dashboard)
        yield* deleteAlertsOf(organizationId, id, dashboard.tiles ?? [])
        yield* sql`
          UPDATE dashboard SET document = ${document}, version = version + 1 WHERE ${ofOrganization(organizationId, id)}`
        yield* checkBytes(organizationId)
        return withVersion(dashboard, stored.version + 1)
      })
      return yield* orServerError(writeTransaction(sql)(replace))
    })

    const remove = Effect.fn("SqlDashboards.delete")(function* (organizationId: OrganizationId, id: DashboardId) {
      const deleted = Effect.gen(function* () {
        if (!isStorable(id)) return yield* notFound("DashboardNotFound", { dashboardId: id })
        const where = ofOrganization(organizationId, id)
        const [held] = yield* sql<{ readonly version: number }>`
          SELECT version FROM dashboard WHERE ${where} ${forUpdate(sql)}`
        if (held === undefined) return yield* notFound("DashboardNotFound", { dashboardId: id })
        yield* checkVersion(held.version)
        yield* deleteAlertsOf(organizationId, id)
        yield* sql`DELETE FROM dashboard WHERE ${where}`
      })
      yield* orServerError(writeTransaction(sql)(deleted))
    })

    const list = Effect.fn("SqlDashboards.list")(function* (organizationId: OrganizationId) {
      const rows = yield* orServerError(selectAll(organizationId))
      return yield* rules.answerAll(rows.map(({ document }) => document))
    })

    return OrganizationDashboards.of({
      of: (organizationId) => ({
        create: (request) => create(organizationId, request),
        get: ({ dashboardId }) => get(organizationId, dashboardId),
        update: ({ dashboardId }, request) => update(organizationId, dashboardId, request),
        delete: ({ dashboardId }) => remove(organizationId, dashboardId),
        validate: (document) => orServerError(rules.validate(document, references(organizationId))),
        list: () => list(organizationId)
      })
    })
  })
)

/** The `OrganizationDashboards` port over SQL. */
export const SqlDashboards = { layer }
