import { assert, describe, it } from "vitest"
import {
  countsOf,
  groupOf,
  inState,
  type PipeRow,
  rowsOf,
  sourceKind,
  statesOf,
  tableName,
  worstLag
} from "../../src/pages/pipes/pipeRows.ts"

const row = (state: string, lag: number | null = null): PipeRow => ({
  id: state,
  name: state,
  state,
  rowsPerSecond: null,
  lag,
  errors: null,
  source: null,
  table: null,
  message: null
})

describe("the rows of the pipes", () => {
  const status = { id: "a", state: "Running", simulated: false } as const
  it("have what the status tells, and what the list knows", () => {
    const pipe = {
      id: "a",
      serviceId: "s",
      name: "orders",
      state: "Setup",
      source: { kafka: { type: "kafka" }, validateSamples: true },
      destination: { database: "shop", table: "orders" }
    } as const
    assert.deepStrictEqual(rowsOf([{ ...status, rowsPerSecond: 5, lag: 7, errors: 0, message: "slow" }], [pipe]), [
      {
        id: "a",
        name: "orders",
        state: "Running",
        rowsPerSecond: 5,
        lag: 7,
        errors: 0,
        source: "kafka",
        table: "shop.orders",
        message: "slow"
      }
    ])
  })

  it("have the id of a pipe that the list does not know yet, and no figure that is not told", () => {
    assert.deepStrictEqual(rowsOf([status], []), [{ ...row("Running"), id: "a", name: "a" }])
  })

  it("know the kind of a source and the name of a table", () => {
    assert.strictEqual(sourceKind({ validateSamples: true, kafka: null, postgres: {} }), "postgres")
    assert.deepStrictEqual([sourceKind(null), sourceKind(undefined), sourceKind({ x: "y" })], [null, null, null])
    assert.strictEqual(tableName({ database: "shop" }), "shop")
    assert.strictEqual(tableName({ database: null, table: "orders" }), "orders")
    assert.deepStrictEqual([tableName({}), tableName(null), tableName(undefined)], [null, null, null])
  })
})

describe("the groups of states", () => {
  const rows = ["Running", "Failed", "InternalError", "Degraded", "Stopped", "Running", "New"].map((state) =>
    row(state)
  )

  it("count each pipe once", () => {
    assert.deepStrictEqual(countsOf(rows), { Running: 2, Degraded: 1, Failed: 2, Others: 2 })
    assert.deepStrictEqual(countsOf([]), { Running: 0, Degraded: 0, Failed: 0, Others: 0 })
    assert.strictEqual(groupOf("Paused"), "Others")
  })

  it("filter by a group or a single state", () => {
    const states = (state: string) => inState(rows, state).map((each) => each.state)
    assert.strictEqual(inState(rows, ""), rows)
    assert.deepStrictEqual(states("Failed"), ["Failed", "InternalError"])
    assert.deepStrictEqual(states("InternalError"), ["InternalError"])
    assert.deepStrictEqual(states("Others"), ["Stopped", "New"])
    assert.deepStrictEqual(states("Nowhere"), [])
    assert.deepStrictEqual(statesOf(rows), ["Degraded", "Failed", "InternalError", "New", "Running", "Stopped"])
  })

  it("tell the worst lag, if one is known", () => {
    assert.strictEqual(worstLag([row("a", 3), row("b"), row("c", 9), row("d", 4)]), 9)
    assert.strictEqual(worstLag([row("a", 0)]), 0)
    assert.isUndefined(worstLag([row("a")]))
    assert.isUndefined(worstLag([]))
  })

  it("count a state that is called as a member of objects is among the others", () => {
    for (const state of ["constructor", "__proto__", "toString"]) assert.strictEqual(groupOf(state), "Others")
  })
})
