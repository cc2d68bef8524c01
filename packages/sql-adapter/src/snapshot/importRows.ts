import { type FieldIssue, Timestamp } from "@headgate/core"
import {
  documentKinds,
  idConflict,
  type ImportSummary,
  invalidRequest,
  type PathStart,
  resume,
  type SnapshotRow,
  type SnapshotRows
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { makeInsertToken } from "../access/SqlTokens.ts"
import { connectionTable } from "../dashboard/SqlConnections.ts"
import { makeInsertDashboard } from "../dashboard/SqlDashboards.ts"
import { documentTable } from "../dashboard/SqlDocumentStores.ts"
import { sourceTable } from "../dashboard/SqlSources.ts"
import { type DocumentTable, makeInsertDocument } from "../dashboard/sqlDocuments.ts"
import { makePathStart } from "../internal/storeClock.ts"
import { isStorable } from "../internal/storableText.ts"
import { makeInsertKey } from "../key/KeyRow.ts"
import { makeInsertPipe } from "../pipe/PipeRow.ts"
import { makeInsertEndpoint } from "../service/EndpointRow.ts"
import { makeInsertService } from "../service/ServiceRow.ts"
import { makeInsertRole } from "../key/SqlRoles.ts"

const issues = <A>(
  rows: ReadonlyArray<SnapshotRow<A>>,
  field: string,
  textOf: (value: A) => string
): ReadonlyArray<FieldIssue> =>
  rows.flatMap(({ path, value }) =>
    isStorable(textOf(value)) ? [] : [{ path: `${path}.${field}`, message: "Expected no NUL and no lone surrogate" }]
  )

const kindNames = Struct.keys(documentKinds)

/**
 * The fields of a snapshot that some database cannot store unchanged. All databases refuse them, so that data can be
 * moved between databases.
 */
export const unstorable = (rows: SnapshotRows): ReadonlyArray<FieldIssue> => [
  ...issues(rows.organizations, "name", ({ name }) => name),
  ...issues(rows.services, "name", ({ service }) => service.name),
  ...issues(rows.dashboards, "id", ({ dashboard }) => dashboard.id),
  ...issues(rows.connections, "id", ({ connection }) => connection.id),
  ...issues(rows.sources, "id", ({ source }) => source.id),
  ...kindNames.flatMap((kind) => issues(rows[kind], "id", ({ document }) => document.id))
]

const encodeTimestamp = Schema.encodeEffect(Timestamp)

interface Owned {
  readonly owner: string
}

/** How one kind of row is imported. */
interface Kind<A> {
  readonly rows: ReadonlyArray<SnapshotRow<A>>
  /** Inserts the row unless it exists. Returns whether it inserted the row. */
  readonly insert: (value: A) => Effect.Effect<boolean, SqlError | Schema.SchemaError>
  /** Selects the existing row with the same identity. */
  readonly select: (value: A) => Statement<Owned>
  /** The owner that the existing row must have to count as the same thing. */
  readonly ownerOf: (value: A) => string
  /** The path of the conflicting field; `isHeld`: whether a row with the same identity exists. */
  readonly field: (isHeld: boolean) => string
}

/** The result of a row: added, kept because it exists, or a conflict. */
type Outcome = "added" | "kept" | FieldIssue

const place = <A>({ field, insert, ownerOf, rows, select }: Kind<A>) =>
  Effect.forEach(
    rows,
    Effect.fnUntraced(function* ({
      path,
      value
    }: SnapshotRow<A>): Effect.fn.Return<Outcome, SqlError | Schema.SchemaError> {
      if (yield* insert(value)) return "added"
      const [held] = yield* select(value)
      if (held?.owner === ownerOf(value)) return "kept"
      return idConflict(`${path}.${field(held !== undefined)}`)
    })
  )

/** Whether a statement with RETURNING wrote a row. */
const wrote = (statement: Statement<object>) => Effect.map(statement, (rows) => rows.length > 0)

/**
 * Inserts the rows that do not exist, owners first. Fails with all conflicts it found; the transaction around it must
 * then roll back.
 */
export const makeImportRows = (sql: SqlClient.SqlClient) => {
  const insertEndpoint = makeInsertEndpoint(sql)
  const insertService = makeInsertService(sql)
  const insertPipe = makeInsertPipe(sql)
  const insertKey = makeInsertKey(sql)
  const insertRole = makeInsertRole(sql)
  const insertToken = makeInsertToken(sql)
  const insertDashboard = makeInsertDashboard(sql)

  const placeOrganizations = (rows: SnapshotRows["organizations"]) =>
    place({
      rows,
      insert: ({ createdAt, id, name }) =>
        Effect.flatMap(encodeTimestamp(createdAt), (created) =>
          wrote(sql`
            INSERT INTO organization (id, name, created_at) VALUES (${id}, ${name}, ${created})
            ON CONFLICT (id) DO NOTHING RETURNING id`)
        ),
      select: ({ id }) => sql<Owned>`SELECT id AS owner FROM organization WHERE id = ${id}`,
      ownerOf: ({ id }) => id,
      field: () => "id"
    })

  const placeServices = (rows: SnapshotRows["services"]) =>
    place({
      rows,
      insert: insertService,
      select: ({ service }) => sql<Owned>`SELECT organization_id AS owner FROM service WHERE id = ${service.id}`,
      ownerOf: ({ organizationId }) => organizationId,
      field: () => "id"
    })

  const placeEndpoints = (rows: SnapshotRows["endpoints"]) =>
    place({
      rows,
      insert: ({ endpoint, organizationId }) => insertEndpoint(organizationId, endpoint),
      select: ({ endpoint }) => sql<Owned>`
        SELECT organization_id || '/' || service_id AS owner FROM reverse_private_endpoint WHERE id = ${endpoint.id}`,
      ownerOf: ({ endpoint, organizationId }) => `${organizationId}/${endpoint.serviceId}`,
      field: () => "id"
    })

  const placePipes = (rows: SnapshotRows["pipes"], start: PathStart) =>
    place({
      rows,
      insert: ({ organizationId, pipe }) => insertPipe(organizationId, resume(pipe, start)),
      select: ({ pipe }) => sql<Owned>`
        SELECT organization_id || '/' || service_id AS owner FROM pipe WHERE id = ${pipe.id}`,
      ownerOf: ({ organizationId, pipe }) => `${organizationId}/${pipe.serviceId}`,
      field: () => "id"
    })

  const placeRoles = (rows: SnapshotRows["roles"]) =>
    place({
      rows,
      insert: ({ organizationId, role }) => insertRole(organizationId, role),
      select: ({ role }) => sql<Owned>`SELECT organization_id AS owner FROM custom_role WHERE id = ${role.id}`,
      ownerOf: ({ organizationId }) => organizationId,
      field: () => "id"
    })

  const placeKeys = (rows: SnapshotRows["keys"]) =>
    place({
      rows,
      insert: insertKey,
      select: ({ keyIdHash }) => sql<Owned>`
        SELECT organization_id AS owner FROM api_key WHERE key_id_hash = ${keyIdHash}`,
      ownerOf: ({ organizationId }) => organizationId,
      field: (isHeld) => (isHeld ? "hashData.keyIdHash" : "id")
    })

  const placeTokens = (rows: SnapshotRows["tokens"]) =>
    place({
      rows,
      insert: insertToken,
      select: ({ tokenHash }) => sql<Owned>`SELECT organization_id AS owner FROM token WHERE token_hash = ${tokenHash}`,
      ownerOf: ({ organizationId }) => organizationId,
      field: (isHeld) => (isHeld ? "tokenHash" : "id")
    })

  const placeDashboards = (rows: SnapshotRows["dashboards"]) =>
    place({
      rows,
      insert: ({ dashboard, organizationId }) => insertDashboard(organizationId, dashboard),
      select: ({ dashboard }) => sql<Owned>`SELECT organization_id AS owner FROM dashboard WHERE id = ${dashboard.id}`,
      ownerOf: ({ organizationId }) => organizationId,
      field: () => "id"
    })

  const placeDocuments = <Stored>(rows: ReadonlyArray<SnapshotRow<Stored>>, table: DocumentTable<Stored>) =>
    place({
      rows,
      insert: makeInsertDocument(sql, table),
      select: (stored) => sql<Owned>`
        SELECT organization_id AS owner FROM ${sql(table.table)} WHERE id = ${table.idOf(stored)}`,
      ownerOf: table.ownerOf,
      field: () => "id"
    })

  return Effect.fnUntraced(function* (rows: SnapshotRows) {
    const outcomes: ReadonlyArray<Outcome> = [
      ...(yield* placeOrganizations(rows.organizations)),
      ...(yield* placeServices(rows.services)),
      ...(yield* placeEndpoints(rows.endpoints)),
      ...(yield* placePipes(rows.pipes, yield* makePathStart(sql))),
      ...(yield* placeRoles(rows.roles)),
      ...(yield* placeKeys(rows.keys)),
      ...(yield* placeTokens(rows.tokens)),
      ...(yield* placeDashboards(rows.dashboards)),
      ...(yield* placeDocuments(rows.connections, connectionTable)),
      ...(yield* placeDocuments(rows.sources, sourceTable)),
      ...(yield* Effect.forEach(kindNames, (kind) => placeDocuments(rows[kind], documentTable(kind)))).flat()
    ]
    const issues = outcomes.filter((outcome) => outcome !== "added" && outcome !== "kept")
    if (issues.length > 0) return yield* invalidRequest(issues)
    const summary: ImportSummary = {
      added: outcomes.filter((outcome) => outcome === "added").length,
      kept: outcomes.filter((outcome) => outcome === "kept").length
    }
    return summary
  })
}
