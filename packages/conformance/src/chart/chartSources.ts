import { Snapshot } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureConnections } from "../fixtures/sources.ts"

const [{ id: connection }] = fixtureConnections.acme

const source = (id: string, kind: string, rest: object) => ({
  id,
  name: `law ${id}`,
  kind,
  connection,
  ...rest
})

const table = (tableName: string) => ({
  // The database that the engine reads without a name.
  from: { databaseName: "", tableName },
  timestampValueExpression: "Time",
  implicitColumnExpression: "Name"
})

/** The ids of the data sources of the laws. */
export const lawSources = {
  small: "50000000000000000000001a",
  mixed: "50000000000000000000001b",
  metric: "50000000000000000000001c",
  missing: "50000000000000000000001d",
  traces: "50000000000000000000001e"
}

/** The organization acme with the data sources of the laws. */
export const lawSnapshot: Effect.Effect<Snapshot> = Effect.orDie(
  Schema.decodeUnknownEffect(Snapshot)({
    organizations: [
      {
        id: fixtureIds.organizations.acme,
        name: "Acme",
        connections: fixtureConnections.acme,
        sources: [
          source(lawSources.small, "log", { ...table("small"), implicitColumnExpression: "Note" }),
          source(lawSources.mixed, "log", table("mixed")),
          source(lawSources.traces, "trace", table("mixed")),
          source(lawSources.missing, "log", table("none")),
          source(lawSources.metric, "metric", {
            from: { databaseName: "", tableName: "" },
            metricTables: { gauge: "gauge", sum: "sum" },
            timestampValueExpression: "TimeUnix"
          })
        ]
      },
      { id: fixtureIds.organizations.globex, name: "Globex" }
    ]
  })
)
