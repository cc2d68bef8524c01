import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import {
  allows,
  argumentOf,
  type Command,
  decisionsOf,
  kindOf,
  namedFlags,
  namesResync,
  type PipeKind
} from "../../src/pages/pipe/commands.ts"

// The documented table of each kind of pipe, which is made from the rules of the service.
const page = readFileSync(new URL("../../../../docs/pipe-states.md", import.meta.url), "utf8")
const sections: Readonly<Record<string, PipeKind>> = {
  "Kafka, Kinesis, Pub/Sub, and object storage that is continuous": "streaming",
  "Object storage that is not continuous": "oneShot",
  "Postgres, MySQL and MongoDB": "cdc",
  "BigQuery, and databases with the replication mode `snapshot`": "snapshot"
}
const columns: ReadonlyArray<Command> = ["start", "stop", "resync", "resume", "accept"]

const documented = page.split("\n## ").flatMap((section) => {
  const kind = sections[section.slice(0, section.indexOf("\n"))]
  return kind === undefined
    ? []
    : Array.from(section.matchAll(/^\| ([A-Z]\w+) \| (.+) \|$/gm)).flatMap(([, state = "", rest = ""]) =>
        rest.includes(" | ") && state !== "State" && rest.split(" | ").length === 6
          ? columns.map((command, index) => {
              const cell = rest.split(" | ")[index] ?? ""
              return { kind, state, command, isPossible: !/^[24]0/.test(cell) }
            })
          : []
      )
})

describe("what a state allows", () => {
  it("is documented for every kind", () => {
    const kinds = new Set(documented.map(({ kind }) => kind))
    expect(kinds.size).toBe(4)
    expect(documented.length).toBe(5 * (7 + 7 + 11 + 11))
  })

  it.each(documented)("is what the page says: $kind $state $command", ({ command, isPossible, kind, state }) => {
    expect(allows({ kind, state, isSimulated: false }, command)).toBe(isPossible)
  })

  it("depends on whether rows are moved", () => {
    const pipe = { kind: "streaming", state: "Stopped", isSimulated: true } as const
    expect((["start", "resume", "accept", "adopt"] as const).filter((command) => allows(pipe, command))).toEqual([
      "start",
      "adopt"
    ])
    expect(allows({ ...pipe, isSimulated: false }, "adopt")).toBe(false)
  })

  it("does not matter for the document", () => {
    for (const command of ["scale", "settings", "rename", "delete"] as const) {
      expect(allows({ kind: "cdc", state: "Pausing", isSimulated: false }, command)).toBe(true)
    }
  })

  it("is that of a running pipe if the state is not known", () => {
    const pipe = { kind: "streaming", state: "Unknown", isSimulated: false } as const
    expect(columns.filter((command) => allows(pipe, command))).toEqual(["stop", "accept"])
  })
})

it.each([
  [{ kafka: {} }, "streaming"],
  [{ kafka: {}, bigquery: null, postgres: null, objectStorage: null }, "streaming"],
  [{ postgres: null, mysql: "x" }, "streaming"],
  [{ kinesis: {} }, "streaming"],
  [{ objectStorage: { isContinuous: true } }, "streaming"],
  [{ objectStorage: { isContinuous: false } }, "oneShot"],
  [{ objectStorage: {} }, "oneShot"],
  [{ objectStorage: null, postgres: { settings: { replicationMode: "cdc" } } }, "cdc"],
  [{ postgres: { settings: { replicationMode: "snapshot" } } }, "snapshot"],
  [{ mysql: { settings: null } }, "cdc"],
  [{ mysql: { settings: { replicationMode: "snapshot" } } }, "snapshot"],
  [{ mongodb: { settings: { replicationMode: "snapshot" } } }, "snapshot"],
  [{ mongodb: {} }, "cdc"],
  [{ bigquery: {} }, "snapshot"],
  [null, "streaming"],
  [undefined, "streaming"]
])("the kind of %j is %s", (source, kind) => {
  expect(kindOf(source)).toBe(kind)
})

describe("decisions", () => {
  const flags = (kind: PipeKind, state: string, isObjects = false, isSimulated = false) =>
    decisionsOf({ kind, state, isSimulated }, isObjects).map(({ flag }) => flag)

  it("are all of them for a failed pipe of a broker", () => {
    expect(flags("streaming", "Failed")).toEqual([
      "--from warehouse",
      "--from ledger",
      "--from start",
      "--replay",
      "--skip",
      "--accept-table"
    ])
  })

  it("insert no object twice", () => {
    expect(flags("streaming", "Failed", true)).toEqual([
      "--from warehouse",
      "--from ledger",
      "--from start",
      "--accept-table"
    ])
  })

  it("are one while the pipe runs, and for a database", () => {
    expect(flags("streaming", "Running")).toEqual(["--accept-table"])
    expect(flags("cdc", "Failed")).toEqual(["--accept-table"])
    expect(flags("streaming", "Stopping")).toEqual([])
    expect(flags("streaming", "Failed", false, true)).toEqual([])
  })

  it("have one field each", () => {
    const requests = decisionsOf({ kind: "streaming", state: "Failed", isSimulated: false }, false).map(
      ({ request }) => request
    )
    expect(requests).toEqual([
      { from: "warehouse" },
      { from: "ledger" },
      { from: "start" },
      { pending: "replay" },
      { pending: "skip" },
      { acceptTable: true }
    ])
  })

  it.each([
    ["lost: headgate pipe resume NAME --skip (POST .../resume {})", ["--skip"]],
    [
      "headgate pipe resume a --from warehouse, or headgate pipe resume a --from start",
      ["--from warehouse", "--from start"]
    ],
    ["headgate pipe resume NAME --accept-table", ["--accept-table"]],
    ["headgate pipe resume NAME --skipped", []],
    ["--skip", []],
    [null, []],
    [undefined, []]
  ])("are named by %j", (message, named) => {
    expect(namedFlags(message)).toEqual(named)
  })

  it.each([
    ["To copy it again: headgate pipe resync NAME.", true],
    ["resyncing", false],
    [null, false]
  ])("may be a resync: %j", (message, is) => {
    expect(namesResync(message)).toBe(is)
  })

  it.each([
    ["orders", "orders"],
    ["orders-eu.2", "orders-eu.2"],
    ["my orders", "the-id"],
    ["$(rm -rf)", "the-id"],
    ["-rf", "the-id"],
    ["", "the-id"]
  ])("are about %j by %s", (name, argument) => {
    expect(argumentOf({ id: "the-id", name })).toBe(argument)
  })
})
