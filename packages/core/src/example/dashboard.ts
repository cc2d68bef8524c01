import type * as Schema from "effect/Schema"
import { exampleIds } from "./ids.ts"

const examplesOf = (
  id: string,
  tileIds: ReadonlyArray<string>,
  request: Schema.JsonObject & { readonly tiles: ReadonlyArray<Schema.JsonObject> },
  validation: Schema.JsonObject
) => {
  const dashboard = {
    id,
    ...request,
    tiles: request.tiles.map((tile, index) => ({ id: tileIds[index] ?? "", ...tile }))
  }
  return {
    create: { payload: request, success: dashboard },
    list: { success: [dashboard] },
    validate: { payload: { ...request, tiles: request.tiles.map((tile) => ({ ...tile, w: 0 })) }, success: validation },
    get: { success: dashboard },
    update: { payload: { ...request, tiles: dashboard.tiles }, success: dashboard },
    delete: {}
  }
}

const place = { name: "Errors", x: 0, y: 0, w: 12, h: 4 }

/** Examples of the operations on dashboards whose tiles have series: the same in both APIs. */
export const dashboardExamples = examplesOf(
  exampleIds.dashboardId,
  ["7970148c-2cee-4d28-a8e5-2ea9b54362ac"],
  {
    name: "Errors",
    tiles: [
      {
        ...place,
        asRatio: false,
        series: [
          {
            type: "time",
            dataSource: "events",
            aggFn: "count",
            where: "level:error",
            whereLanguage: "lucene",
            groupBy: ["service"]
          }
        ]
      }
    ],
    tags: ["prod"]
  },
  { valid: false, errors: [{ path: "tiles[0].w", message: "Expected a number greater than 0" }] }
)

/** Examples of the same operations where tiles have a config, as today's service takes them. */
export const configDashboardExamples = examplesOf(
  "65f5e4a3b9e77c001a567896",
  ["65f5e4a3b9e77c001a567897"],
  {
    name: "Errors",
    tiles: [
      {
        ...place,
        config: {
          displayType: "line",
          sourceId: exampleIds.sourceId,
          select: [{ aggFn: "count", valueExpression: "", where: "level:error", whereLanguage: "lucene" }],
          asRatio: false,
          fillNulls: true
        }
      }
    ],
    tags: ["prod"],
    filters: [],
    savedQuery: null,
    savedQueryLanguage: null,
    savedFilterValues: []
  },
  {
    valid: false,
    errors: [{ path: "tiles.0.w", message: "Number must be greater than or equal to 1" }],
    normalized: null
  }
)
