import { chartEnginesLaws } from "@headgate/conformance"
import { MemoryChartEngines } from "../src/chart/MemoryChartEngines.ts"

chartEnginesLaws({
  name: "memory",
  layer: ({ connectionId, organizationId, tables }) =>
    MemoryChartEngines.layer([
      { organizationId, connectionId, tables: Object.fromEntries(tables.map(({ name, ...table }) => [name, table])) }
    ])
})
