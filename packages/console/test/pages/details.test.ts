import { describe, expect, it } from "vitest"
import { detailsOf, differences, masked, tablesOf, targetsOf } from "../../src/pages/pipe/details.ts"

const source = {
  objectStorage: null,
  postgres: {
    host: "db",
    port: 5432,
    disableTls: false,
    iamRole: "",
    credentials: { username: "u", password: "p" },
    settings: { replicationMode: "cdc" },
    tableMappings: [
      { sourceSchemaName: "public", sourceTable: "orders", targetTable: "o", tableEngine: "MergeTree" },
      { sourceSchemaName: "public", sourceTable: "lines", targetTable: "o" }
    ],
    empty: [],
    names: ["a", "b"]
  }
}

describe("the details of a document", () => {
  it("are lines with paths, without secrets and what is empty", () => {
    expect(detailsOf(source.postgres, ["tableMappings"])).toEqual([
      { name: "host", value: "db" },
      { name: "port", value: "5432" },
      { name: "disableTls", value: "false" },
      { name: "credentials", value: "<redacted>" },
      { name: "settings.replicationMode", value: "cdc" },
      { name: "names", value: "a, b" }
    ])
    expect(detailsOf({ columns: [{ name: "a" }], key: [1, null] })).toEqual([
      { name: "columns", value: '[{"name":"a"}]' },
      { name: "key", value: "1, null" }
    ])
    expect(detailsOf(null)).toEqual([])
  })

  it.each([
    "connectionString",
    "password",
    "secretKey",
    "accessKey",
    "privateKey",
    "private_key",
    "apiToken",
    "credentials"
  ])("do not show %s", (name) => {
    expect(masked([{ deep: { [name]: "hidden", shown: 1 } }])).toEqual([{ deep: { [name]: "<redacted>", shown: 1 } }])
    expect(masked({ [name]: null })).toEqual({ [name]: null })
  })
})

it("says what differs, and nothing of times and states", () => {
  const before = { name: "a", state: "Running", updatedAt: "1", settings: { one: 1, two: 2 }, scaling: {} }
  const after = { name: "b", state: "Stopped", updatedAt: "2", settings: { one: 1, three: 3 }, scaling: {} }
  expect(differences(before, after)).toEqual([
    "name: a is now b",
    "settings.two: 2 is now none",
    "settings.three: none is now 3"
  ])
  expect(differences(before, before)).toEqual([])
})

describe("tables", () => {
  it("are those of the mappings of a database", () => {
    expect(tablesOf(source)).toEqual([
      { source: "public.orders", target: "o", engine: "MergeTree" },
      { source: "public.lines", target: "o", engine: "" }
    ])
    expect(
      tablesOf({ mongodb: { tableMappings: [{ sourceDatabaseName: "d", sourceCollection: "c", targetTable: "t" }] } })
    ).toEqual([{ source: "d.c", target: "t", engine: "" }])
    expect(tablesOf({ kafka: { topics: "t" } })).toEqual([])
    expect(tablesOf({ postgres: { tableMappings: [null, "x"] } })).toEqual([])
    expect(tablesOf(null)).toEqual([])
  })

  it("are written to once each", () => {
    expect(targetsOf({ source, destination: { table: "other" } })).toEqual(["o"])
    expect(targetsOf({ source: { kafka: {} }, destination: { table: "t" } })).toEqual(["t"])
    expect(targetsOf({ destination: { table: 1 } })).toEqual([])
    expect(targetsOf({})).toEqual([])
  })
})
