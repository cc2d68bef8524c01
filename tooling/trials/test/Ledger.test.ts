import { assert, describe, it } from "vitest"
import { fingerprintOf, type Found, Ledger } from "../src/durability/Ledger.ts"

const organizationId = "organization"

const ledger = () => {
  const made = new Ledger()
  made.acknowledged.push(
    { kind: "key", organizationId, keyId: "key", keySecret: "secret" },
    { kind: "dashboard", organizationId, id: "dashboard", name: "mine" },
    { kind: "deletion", organizationId, pipeId: "deleted" }
  )
  made.requestedDeletions.add("deleted").add("requested")
  return made
}

const organizations = [{ keptPipe: "kept", pipes: ["deleted", "requested"] }]

const whole: Found = {
  credentials: new Set([fingerprintOf("key", "secret")]),
  dashboards: new Map([["dashboard", "mine"]]),
  pipes: new Set(["kept"])
}

describe("a ledger finds", () => {
  it.each<[string, Found, ReadonlyArray<string>]>([
    ["nothing lost if everything is there", whole, []],
    ["nothing lost if an unanswered deletion was not done", { ...whole, pipes: new Set(["kept", "requested"]) }, []],
    ["a key whose credentials are unknown", { ...whole, credentials: new Set() }, ["key key"]],
    [
      "a key whose secret is another's",
      { ...whole, credentials: new Set([fingerprintOf("key", "another")]) },
      ["key key"]
    ],
    ["a dashboard that is gone", { ...whole, dashboards: new Map() }, ["dashboard dashboard"]],
    [
      "a dashboard that holds something else",
      { ...whole, dashboards: new Map([["dashboard", "yours"]]) },
      ["dashboard dashboard"]
    ],
    ["a deletion that was undone", { ...whole, pipes: new Set(["kept", "deleted"]) }, ["deletion deleted"]],
    [
      "a pipe that is gone although nobody deleted it",
      { ...whole, pipes: new Set() },
      ["pipe kept, which nobody deleted"]
    ]
  ])("%s", (_, found, lost) => {
    assert.deepStrictEqual(ledger().lost(found, organizations), lost)
  })
})
