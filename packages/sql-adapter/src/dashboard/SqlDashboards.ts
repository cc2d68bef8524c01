import { Dashboard, type DashboardCreate, DashboardId, type DashboardUpdate, OrganizationId } from "@headgate/core"
import {
  checkVersion,
  dashboardNotFound,
  type DashboardReferences,
  dashboardRules,
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
import { sourceTable } from "./SqlSources.ts"
import { keepTilesKind } from "../internal/tilesKind.ts"
import { orServerError } from "../internal/outage.ts"
import { isStorable } from "../internal/storableText.ts"
import { forUpdate, writeTransaction } from "../internal/transaction.ts"

const encodeDashboard = Schema.encodeEffect(Schema.fromJsonString(Dashboard))

/** What the dashboards of an organization may refer to. */
const dashboardReferences = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const dashboards = yield* sql<{ readonly id: string }>`
      SELECT id FROM dashboard WHERE organization_id = ${organizationId}`
    const connections = yield* sql<{ readonly id: string }>`
      SELECT id FROM connection WHERE organization_id = ${organizationId}`
    const sources = yield* Effect.flatMap(
      sql`SELECT * FROM dashboard_source WHERE organization_id = ${organizationId}`,
      sourceTable.decode
    )
    const references: DashboardReferences = {
      sources: sources.map(({ source }) => source),
      connectionIds: connections.map(({ id }) => id),
      dashboardIds: dashboards.map(({ id }) => id)
    }
    return references
  })

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
    const references = dashboardReferences(sql)
    const insertDashboard = makeInsertDashboard(sql)
    const createWithinLimits = makeCreateWithinLimits(sql)
    const checkBytes = makeCheckBytes(sql)

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

    const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: DashboardCreate) {
      const dashboard = yield* orServerError(withRandom(rules.create(request, references(organizationId))))
      yield* orServerError(createWithinLimits("dashboards", organizationId, insertDashboard(organizationId, dashboard)))
      return withVersion(dashboard, 1)
    })
    const get = Effect.fn("SqlDashboards.get")(function* (organizationId: OrganizationId, id: DashboardId) {
      const row = isStorable(id) ? yield* orServerError(selectOne({ id, organizationId })) : Option.none()
      if (Option.isNone(row)) return yield* dashboardNotFound(id)
      return withVersion(yield* rules.answer(row.value.document), row.value.version)
    })

    /** Runs a statement on a dashboard that has the version that `IfMatch` requires, and returns this version. */
    const change = <E>(
      organizationId: OrganizationId,
      id: DashboardId,
      statement: (where: Fragment, version: number) => Effect.Effect<unknown, E>
    ) =>
      Effect.gen(function* () {
        if (!isStorable(id)) return yield* dashboardNotFound(id)
        const where = ofOrganization(organizationId, id)
        const [held] = yield* sql<{ readonly version: number }>`
          SELECT version FROM dashboard WHERE ${where} ${forUpdate(sql)}`
        if (held === undefined) return yield* dashboardNotFound(id)
        yield* checkVersion(held.version)
        yield* statement(where, held.version)
        return held.version
      })

    const update = Effect.fn("SqlDashboards.update")(function* (
      organizationId: OrganizationId,
      id: DashboardId,
      request: DashboardUpdate
    ) {
      for (;;) {
        const stored =
          rules.readsStored && isStorable(id) ? yield* orServerError(selectOne({ id, organizationId })) : Option.none()
        // A body that is wrong is refused whether there is such a dashboard or not.
        const replaced = Option.match(stored, {
          onNone: (): Dashboard => ({ id, name: "" }),
          onSome: ({ document }) => document
        })
        const dashboard = yield* orServerError(withRandom(rules.replace(replaced, request, references(organizationId))))
        const document = yield* Effect.orDie(encodeDashboard(dashboard))
        // Somebody has replaced what the new dashboard was made from.
        const isStale = (version: number) => Option.exists(stored, (read) => read.version !== version)
        const written = change(organizationId, id, (where, version) =>
          isStale(version)
            ? Effect.void
            : sql`UPDATE dashboard SET document = ${document}, version = version + 1 WHERE ${where}`
        )
        const version = yield* orServerError(writeTransaction(sql)(Effect.tap(written, checkBytes(organizationId))))
        if (!isStale(version)) return withVersion(dashboard, version + 1)
      }
    })

    const remove = Effect.fn("SqlDashboards.delete")(function* (organizationId: OrganizationId, id: DashboardId) {
      const deleted = change(organizationId, id, (where) => sql`DELETE FROM dashboard WHERE ${where}`)
      yield* orServerError(writeTransaction(sql)(deleted))
    })

    const list = Effect.fn("SqlDashboards.list")(function* (organizationId: OrganizationId) {
      const rows = yield* orServerError(selectAll(organizationId))
      return yield* rules.answerAll(rows.map(({ document }) => document))
    })

    return OrganizationDashboards.of({
      of: (organizationId) => ({
        create: (request) => create(organizationId, request),
        get: (id) => get(organizationId, id),
        update: (id, request) => update(organizationId, id, request),
        delete: (id) => remove(organizationId, id),
        validate: (document) => orServerError(rules.validate(document, references(organizationId))),
        list: () => list(organizationId)
      })
    })
  })
)

/** The `OrganizationDashboards` port over SQL. */
export const SqlDashboards = { layer }
