import { Dashboard, Pipe } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The value after a round trip through JSON, so that documents can be compared. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const encodePipe = Schema.encodeEffect(Pipe)
const encodeDashboard = Schema.encodeEffect(Dashboard)

/** A pipe as the JSON that is sent. */
export const pipeDocument = (pipe: Pipe) => Effect.map(encodePipe(pipe), asJson)

/** A dashboard as the JSON that is sent. */
export const dashboardDocument = (dashboard: Dashboard) => Effect.map(encodeDashboard(dashboard), asJson)

export const dashboardDocuments = (dashboards: ReadonlyArray<Dashboard>) =>
  Effect.forEach(dashboards, dashboardDocument)
