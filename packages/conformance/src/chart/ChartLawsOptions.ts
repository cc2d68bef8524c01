import type { ConnectionId, OrganizationId } from "@headgate/core"
import type { ChartEngines } from "@headgate/core/adapter"
import type * as Layer from "effect/Layer"
import type { LawTable } from "./chartTables.ts"

/** The tables of a connection of an organization. */
export interface LawTables {
  readonly organizationId: OrganizationId
  readonly connectionId: ConnectionId
  readonly tables: ReadonlyArray<LawTable>
}

/** The engines of the laws of charts: the parameter of {@link chartEnginesLaws}. */
export interface ChartLawsOptions {
  /** The name of the adapter in the report. */
  readonly name: string
  /** The adapter over a database that holds these tables, in the database that it reads without a name. It is called once. */
  readonly layer: (tables: LawTables) => Layer.Layer<ChartEngines, unknown>
  /** Another adapter, whose answers are expected. Absent: only the expectations that were written by hand are tested. */
  readonly expected?: (tables: LawTables) => Layer.Layer<ChartEngines, unknown>
}
