import type { Random } from "@headgate/harness/Random"
import { type Organization, plainPipe } from "@headgate/harness/Snapshot"

/** Simulated pipes from Kafka, in an order that their names show. */
export const samplePipes =
  (random: Random, count: number) =>
  ({ serviceId }: Organization): ReadonlyArray<object> =>
    Array.from({ length: count }, (_, index) => ({
      ...plainPipe(random.uuid(), serviceId),
      name: `pipe ${String(index + 1).padStart(4, "0")}`,
      state: index % 7 === 3 ? "Failed" : index % 5 === 2 ? "Stopped" : "Running",
      source: {
        kafka: {
          type: "kafka",
          brokers: `broker-${index}.example.com:9092`,
          topics: `topic-${index}`,
          format: "JSONEachRow"
        }
      },
      destination: { database: "default", table: `table_${index}`, managedTable: true }
    }))

/** A dashboard whose chart cannot be queried where there is no warehouse: its tile says so. */
export const sampleDashboard = {
  id: "requests",
  name: "Requests",
  tags: ["sample"],
  tiles: [
    {
      id: "rows",
      name: "Rows",
      x: 0,
      y: 0,
      w: 12,
      h: 6,
      series: [{ type: "time", dataSource: "events", aggFn: "count" }]
    },
    { id: "text", name: "Text", x: 12, y: 0, w: 12, h: 6, series: [{ type: "markdown" }] }
  ]
}
