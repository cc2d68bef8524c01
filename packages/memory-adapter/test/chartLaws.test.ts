import { chartEnginesLaws, chartsLaws, type LawTables } from "@headgate/conformance"
import { MemoryAdapter, type MemoryChartDatabase, MemoryChartEngines } from "../src/index.ts"

const databases = ({ connectionId, organizationId, tables }: LawTables): ReadonlyArray<MemoryChartDatabase> => [
  { organizationId, connectionId, tables: Object.fromEntries(tables.map(({ name, ...table }) => [name, table])) }
]

chartEnginesLaws({ name: "memory", layer: (tables) => MemoryChartEngines.layer(databases(tables)) })

chartsLaws({
  name: "memory",
  layer: (tables, snapshot) =>
    MemoryAdapter.layer({ snapshot, organizationId: tables.organizationId, chartTables: databases(tables) })
})
