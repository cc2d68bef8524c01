import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { answerConfigDashboard } from "../../../src/dashboard/config/ConfigDashboard.ts"
import { DashboardId } from "../../../src/id/dashboard.ts"
import { board, type Fields, logs, make, promqlLabel, replace, sourceFilter, staticList } from "./configDashboards.ts"

const query = { type: "QUERY_EXPRESSION", name: "Env", expression: "env", sourceId: logs }
const asVariable = { isBroadcastEnabled: false, isVariableEnabled: true }
const asBoth = { isBroadcastEnabled: true, isVariableEnabled: true }
const required = { minSelections: 1, isGlobalRequirement: true, maxSelections: 1 }

/** A filter that is sent, and the filter that is answered. */
const filters: ReadonlyArray<readonly [string, Fields, Fields]> = [
  ["a static list is a variable", staticList, { ...staticList, ...asVariable }],
  [
    "a static list keeps all of its fields",
    { ...staticList, ...asVariable, variableName: "tier", ...required },
    { ...staticList, ...asVariable, variableName: "tier", ...required }
  ],
  [
    "options are compared exactly",
    { ...staticList, options: ["a", "A", " a"] },
    { ...staticList, options: ["a", "A", " a"], ...asVariable }
  ],
  ["a label of Prometheus is a variable", promqlLabel, { ...promqlLabel, ...asVariable }],
  [
    "a label of Prometheus keeps all of its fields",
    { ...promqlLabel, match: 'up{job="api"}', variableName: "pod", ...required },
    { ...promqlLabel, match: 'up{job="api"}', variableName: "pod", ...required, ...asVariable }
  ],
  ["a filter of a source filters tiles and is a variable", sourceFilter, { ...sourceFilter, ...asBoth }],
  [
    "a filter of a source keeps all of its fields",
    { ...sourceFilter, appliesToSourceIds: [logs], ...required },
    { ...sourceFilter, appliesToSourceIds: [logs], ...required, ...asBoth }
  ],
  ["a filter that is required", { ...query, ...required }, { ...query, ...required }],
  [
    "a filter that is not required has only the greatest number of selections",
    { ...query, minSelections: 0, isGlobalRequirement: true, maxSelections: 1 },
    { ...query, maxSelections: 1 }
  ],
  [
    "a requirement without a least number is dropped",
    { ...staticList, isGlobalRequirement: false },
    { ...staticList, ...asVariable }
  ]
]

const withoutId = ({ id, ...rest }: Fields): Fields => (id === undefined ? {} : rest)

describe("a filter of the clickhouse dialect", () => {
  it.effect.each(filters)("%s", ([, sent, answered]) =>
    Effect.gen(function* () {
      const made = yield* make(board({ filters: [sent] }))
      assert.deepStrictEqual(withoutId(Object(made.filters)[0]), answered)
      assert.deepStrictEqual(yield* replace(made, JSON.parse(JSON.stringify(made))), made)
    })
  )

  it.effect("is answered with its modes if it was imported without them", () =>
    Effect.gen(function* () {
      const stored = { id: DashboardId.make("d-1"), name: "Errors", filters: [{ ...staticList, id: "f-1" }] }
      const { filters: answered } = yield* answerConfigDashboard(JSON.parse(JSON.stringify(stored)))
      assert.deepStrictEqual<unknown>(JSON.parse(JSON.stringify(answered)), [
        { ...staticList, ...asVariable, id: "f-1" }
      ])
    })
  )
})
