import { describe, expect, it } from "vitest"
import {
  changedFields,
  connectionTitles,
  isOwn,
  replacing,
  tableOf,
  usersOf
} from "../../src/pages/sources/sourceModel.ts"
import { nodeOf } from "../../src/parts/schemaForm/schemaNode.ts"

const text = { type: "string" }
const node = nodeOf({ properties: { name: text, host: text, username: text, password: text } }, {})
if (node.kind !== "object") throw new Error("There is no form.")
const document = {
  id: "1",
  name: "a",
  host: "h",
  username: "u",
  team: "t",
  createdAt: "c",
  updatedAt: "d",
  extra: { x: 1 },
  none: null
}

describe("replacing a document", () => {
  it("keeps what no form knows, without what the server sets", () => {
    expect(replacing(node, document, { name: "b", host: "h", username: "u" }, [])).toEqual({
      name: "b",
      host: "h",
      username: "u",
      extra: { x: 1 },
      none: null
    })
  })

  it("removes what is empty now, and leaves the password as it is", () => {
    expect(replacing(node, document, { name: "a", host: "h" }, [])).toEqual({
      name: "a",
      host: "h",
      username: null,
      extra: { x: 1 },
      none: null
    })
    expect(replacing(node, { ...document, username: null }, { name: "a", host: "h" }, [])).not.toHaveProperty(
      "username"
    )
  })

  it("writes a new password, or removes it", () => {
    expect(replacing(node, document, { name: "a", password: "p" }, [])).toMatchObject({ password: "p" })
    expect(replacing(node, document, { name: "a", password: "p" }, ["password"])).toMatchObject({ password: null })
  })
})

it("names the fields that were changed", () => {
  expect(changedFields(document, { ...document, host: "i", updatedAt: "e", extra: { x: 2 }, more: 1 })).toEqual([
    "host",
    "extra",
    "more"
  ])
  expect(changedFields({ a: null }, {})).toEqual([])
})

it.each([
  [{ id: "1", name: "warehouse" }, true],
  [{ id: "1", name: "warehouse", host: null }, true],
  [{ id: "1", name: "warehouse", host: "" }, true],
  [{ id: "1", name: "warehouse", host: "https://h" }, false],
  [{ id: "1", name: "other" }, false]
])("tells the server's own connection: %j", (connection, isServers) => {
  expect(isOwn(connection)).toBe(isServers)
})

it("tells connections with the same name by their ids", () => {
  const connections = [
    { id: "1", name: "a" },
    { id: "2", name: "b" },
    { id: "3", name: "a" }
  ]
  expect(connectionTitles(connections)).toEqual({ 1: "a (1)", 2: "b", 3: "a (3)" })
})

it("names the sources of a connection", () => {
  expect(
    usersOf("1", [
      { name: "x", connection: "1" },
      { name: "y", connection: "2" },
      { name: "z", connection: "1" }
    ])
  ).toEqual(["x", "z"])
})

it.each([
  [{ from: { databaseName: "d", tableName: "t" } }, "d.t"],
  [{ from: { tableName: "t" } }, "t"],
  [{ from: null }, ""],
  [{}, ""]
])("writes the table of %j", (source, table) => {
  expect(tableOf(source)).toBe(table)
})
