import { assert, describe, it } from "@effect/vitest"
import { canReach, endStates, stateSequences } from "@headgate/core/adapter"
import * as Record from "effect/Record"

describe("canReach", () => {
  it("allows each later state of each path, and no earlier one", () => {
    for (const kind of Record.keys(stateSequences)) {
      for (const path of Object.values(stateSequences[kind])) {
        for (const [index, state] of path.entries()) {
          for (const later of path.slice(index))
            assert.isTrue(canReach(kind, state, later), `${kind} ${state} ${later}`)
        }
        const [first = "", ...rest] = path
        for (const state of rest) assert.isFalse(canReach(kind, state, first), `${kind} ${state} ${first}`)
      }
    }
  })

  it.each([
    ["streaming", "Stopped", "Running", false],
    ["streaming", "Failed", "Running", false],
    ["streaming", "InternalError", "Failed", false],
    ["streaming", "Running", "Failed", true],
    ["cdc", "Setup", "Degraded", true],
    ["cdc", "Paused", "Failed", false],
    ["oneShot", "Completed", "Running", false],
    ["streaming", "Completed", "Running", false],
    ["cdc", "Stopped", "Running", false],
    // Services of others let such a pipe run before it is completed.
    ["oneShot", "Running", "Completed", true],
    ["oneShot", "Provisioning", "Running", true],
    ["snapshot", "Snapshot", "Running", true],
    ["snapshot", "Pausing", "Running", false],
    ["streaming", "Hibernating", "Running", true]
  ] as const)("%s: from %s to %s: %s", (kind, state, awaited, expected) => {
    assert.strictEqual(canReach(kind, state, awaited), expected)
  })
})

describe("endStates", () => {
  it.each([
    ["streaming", "create", ["Running"]],
    ["snapshot", "start", ["Completed"]],
    ["cdc", "resync", ["Running"]],
    ["streaming", "stop", ["Stopped", "Failed", "Completed", "Paused"]]
  ] as const)("of %s after %s", (kind, action, expected) => {
    assert.deepStrictEqual(endStates(kind, action), expected)
  })
})
