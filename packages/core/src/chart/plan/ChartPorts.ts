import * as Effect from "effect/Effect"
import type { CallError } from "../../error/CallError.ts"
import type { ChartNotFound } from "../../error/NotFound.ts"
import { chartNotFound } from "../../error/notFoundErrors.ts"
import type { Dashboard } from "../../dashboard/Dashboard.ts"
import type { Dashboards } from "../../dashboard/Dashboards.ts"
import type { DashboardSource, DashboardSources } from "../../dashboard/DashboardSources.ts"
import { ConnectionId, DashboardId, SourceId } from "../../id/dashboard.ts"
import type { OrganizationId } from "../../id/organization.ts"
import type { ChartEngine, ChartEngines } from "../query/ChartEngines.ts"
import type { ChartTable } from "../query/TableQuery.ts"

/** The ports of one organization that its charts are made of. */
export interface ChartPorts {
  readonly organizationId: OrganizationId
  readonly dashboards: Dashboards["Service"]
  readonly sources: DashboardSources["Service"]
  readonly engines: ChartEngines["Service"]
}

type Found<A> = Effect.Effect<A, CallError | ChartNotFound>

/** The messages of what is not there. */
export interface MissingTexts {
  readonly source: (sourceId: string) => string
  readonly connection: (sourceId: string) => string
}

const missingTexts: MissingTexts = {
  source: (sourceId) => `there is no source ${sourceId}`,
  connection: (sourceId) => `there is no connection of the source ${sourceId}`
}

/** Reads a dashboard. */
export const findDashboard = ({ dashboards }: ChartPorts, dashboardId: string): Found<Dashboard> =>
  dashboards
    .get({ dashboardId: DashboardId.make(dashboardId) })
    .pipe(
      Effect.catchTag(["DashboardNotFound", "ServiceNotFound"], () =>
        Effect.fail(chartNotFound(`there is no dashboard ${dashboardId}`))
      )
    )

/** Reads a source, and finds the database of its connection. */
export const findSource = Effect.fnUntraced(function* (
  { engines, organizationId, sources }: ChartPorts,
  sourceId: string,
  missing: MissingTexts = missingTexts
) {
  const source = yield* sources
    .get({ sourceId: SourceId.make(sourceId) })
    .pipe(
      Effect.catchTag(["SourceNotFound", "ServiceNotFound"], () => Effect.fail(chartNotFound(missing.source(sourceId))))
    )
  const { connection } = source
  const engine = connection ? yield* engines.ofConnection(organizationId, ConnectionId.make(connection)) : undefined
  return engine === undefined ? yield* chartNotFound(missing.connection(sourceId)) : { source, engine }
})

/** Finds a table of a source. */
export const findTable = (engine: ChartEngine, source: DashboardSource, name: string): Found<ChartTable> => {
  const database = source.from?.databaseName ?? ""
  return findNamedTable(engine, database === "" ? undefined : database, name)
}

/** Finds a table by its name. The message is the same for one that is not to be read. */
export const findNamedTable = (engine: ChartEngine, database: string | undefined, name: string): Found<ChartTable> =>
  Effect.flatMap(engine.findTable(database, name), (table) =>
    table === undefined
      ? Effect.fail(chartNotFound(`there is no table ${database === undefined ? name : `${database}.${name}`}`))
      : Effect.succeed(table)
  )
