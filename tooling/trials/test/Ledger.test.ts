import { assert, describe, it } from "vitest"
import { fingerprintOf, type Found, Ledger } from "../src/durability/Ledger.ts"

const organizationId = "organization"

const ledger = () => {
  const made = new Ledger()
  made.acknowledged.push(
    { kind: "key", organizationId, keyId: "key", keySecret: "secret" },
    { kind: "dashboard", organizationId, id: "dashboard", name: "mine" },
    { kind: "pipe", organizationId, id: "created", name: "new" },
    { kind: "rename", organizationId, id: "renamed", name: "renamed" },
    { kind: "stop", organizationId, id: "stopped" },
    { kind: "deletion", organizationId, id: "deleted" }
  )
  made.requestedDeletions.add("deleted").add("requested")
  return made
}

const organizations = [{ keptPipe: "kept", pipes: ["deleted", "requested", "renamed", "stopped"] }]

const running = { name: "pipe", state: "Running" }
const pipes = new Map([
  ["kept", running],
  ["created", { ...running, name: "new" }],
  ["renamed", { ...running, name: "renamed" }],
  ["stopped", { ...running, state: "Stopping" }]
])
const pipesWith = (id: string, pipe: typeof running) => new Map([...pipes, [id, pipe]])
const pipesWithout = (id: string) => new Map(Array.from(pipes).filter(([other]) => other !== id))

const whole: Found = {
  credentials: new Set([fingerprintOf("key", "secret")]),
  dashboards: new Map([["dashboard", "mine"]]),
  pipes,
  keyNames: ["key"]
}

describe("a ledger finds", () => {
  it.each<[string, Found, ReadonlyArray<string>]>([
    ["nothing lost if everything is there", whole, []],
    ["nothing lost if an unanswered deletion was not done", { ...whole, pipes: pipesWith("requested", running) }, []],
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
    ["a deletion that was undone", { ...whole, pipes: pipesWith("deleted", running) }, ["deletion deleted"]],
    ["a pipe that was created and is gone", { ...whole, pipes: pipesWithout("created") }, ["pipe created"]],
    ["a pipe whose name is the old one", { ...whole, pipes: pipesWith("renamed", running) }, ["rename renamed"]],
    ["a pipe that runs on", { ...whole, pipes: pipesWith("stopped", running) }, ["stop stopped"]],
    [
      "a pipe that is gone although nobody deleted it",
      { ...whole, pipes: pipesWithout("kept") },
      ["pipe kept, which nobody deleted"]
    ]
  ])("%s", (_, found, lost) => {
    assert.deepStrictEqual(ledger().lost(found, organizations), lost)
  })
})

describe("a ledger finds a creation that was carried out twice", () => {
  const made = ledger()
  for (const name of ["mine", "new", "key"]) made.onceOnly.add(name)

  it.each<[string, Found, ReadonlyArray<string>]>([
    ["never, if each is there once", whole, []],
    ["as a key", { ...whole, keyNames: ["key", "key"] }, ["key"]],
    [
      "as a dashboard",
      {
        ...whole,
        dashboards: new Map([
          ["dashboard", "mine"],
          ["another", "mine"]
        ])
      },
      ["mine"]
    ],
    ["as a pipe", { ...whole, pipes: pipesWith("another", { ...running, name: "new" }) }, ["new"]],
    ["but not one without an Idempotency-Key", { ...whole, keyNames: ["other", "other"] }, []]
  ])("%s", (_, found, doubled) => {
    assert.deepStrictEqual(made.doubled(found), doubled)
  })
})
