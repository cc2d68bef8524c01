import { Dashboard, Pipe } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** What is left of a value once it has been JSON: what two documents are compared by. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const encodePipe = Schema.encodeEffect(Pipe)
const encodeDashboard = Schema.encodeEffect(Dashboard)

/** A pipe as it goes over the wire, every leaf of it. */
export const pipeCodec = (pipe: Pipe) => Effect.map(encodePipe(pipe), asJson)

/** A dashboard as it goes over the wire, every leaf of it. */
export const dashboardOnWire = (dashboard: Dashboard) => Effect.map(encodeDashboard(dashboard), asJson)

/** Dashboards as they go over the wire, in order. */
export const dashboardsOnWire = (dashboards: ReadonlyArray<Dashboard>) => Effect.forEach(dashboards, dashboardOnWire)
