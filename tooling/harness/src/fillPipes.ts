import { Postgres } from "@headgate/sql-adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"

/** In one statement. */
const chunk = 500
/** How many organizations have the pipes, which are of each in turn. */
export const filledOrganizations = 10

const idOf = (kind: string, index: number) => `${kind}-0000-4000-8000-${index.toString(16).padStart(12, "0")}`

/** The id of the pipe with this number, from 0. */
export const filledPipeId = (index: number): string => idOf("b1be0000", index)

/** The number of the pipe with this id. */
export const filledPipeIndex = (id: string): number => Number.parseInt(id.slice(-12), 16)

/** The organization and the service of a pipe. */
export const filledOwner = (index: number) => ({
  organizationId: idOf("0a9a0000", index % filledOrganizations),
  serviceId: idOf("5e9c0000", index % filledOrganizations)
})

const at = "2026-10-18T17:42:05.250Z"

/** The document of a pipe from a stream, with `columns` columns. */
const documentOf = (index: number, columns: number, settings: object) => {
  const names = Array.from({ length: columns }, (_, column) => `column_${column}_of_pipe_${index}`)
  return JSON.stringify({
    id: filledPipeId(index),
    serviceId: filledOwner(index).serviceId,
    name: `pipe ${index}`,
    source: {
      kinesis: {
        format: "JSONEachRow",
        streamName: `stream-${index}`,
        region: "eu-central-1",
        iteratorType: "TRIM_HORIZON",
        authentication: "IAM_USER"
      }
    },
    destination: {
      database: "default",
      table: `table_${index}`,
      managedTable: true,
      columns: names.map((name) => ({ name, type: "DateTime64(3)" })),
      tableDefinition: { engine: { type: "MergeTree" }, sortingKey: names.slice(0, 1) }
    },
    fieldMappings: [],
    settings,
    scaling: { replicas: 1, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
    state: "Running",
    createdAt: at,
    updatedAt: at
  })
}

/**
 * Puts pipes that move rows into a Postgres that has Headgate's tables, by the columns that every version of them has. Their source is
 * `kinesis`, and their documents have 1.2 to 2.7 kB.
 */
export const fillPipes = (url: Redacted.Redacted, count: number, settings: object = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (let index = 0; index < filledOrganizations; index += 1) {
      const { organizationId, serviceId } = filledOwner(index)
      yield* sql`INSERT INTO organization ${sql.insert({ id: organizationId, name: `organization ${index}` })}`
      yield* sql`INSERT INTO organization_usage ${sql.insert({ organization_id: organizationId })} ON CONFLICT DO NOTHING`
      yield* sql`INSERT INTO service ${sql.insert({ id: serviceId, organization_id: organizationId, name: "service" })}`
    }
    for (const indexes of Arr.chunksOf(Arr.range(0, count - 1), chunk)) {
      const rows = Arr.map(indexes, (index) => {
        const { organizationId, serviceId } = filledOwner(index)
        return {
          id: filledPipeId(index),
          organization_id: organizationId,
          service_id: serviceId,
          document: documentOf(index, 9 + (index % 24), settings),
          progress: JSON.stringify({ since: Date.parse(at), steps: [], goal: "Running" }),
          warehouse: "*"
        }
      })
      yield* sql`INSERT INTO pipe ${sql.insert(rows)}`
    }
    yield* sql`ANALYZE`
  }).pipe(Effect.provide(Postgres.layer({ url, statementTimeout: "5 minutes" })), Effect.orDie)
