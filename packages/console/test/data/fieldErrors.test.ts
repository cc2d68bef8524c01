import { expect, it } from "vitest"
import { fieldErrorsOf } from "../../src/data/fieldErrors.ts"

it.each([
  [
    "BAD_REQUEST: db_max_insert_threads: Expected a whole number from 0 to 16; db_max_threads: Expected a number",
    { db_max_insert_threads: "Expected a whole number from 0 to 16", db_max_threads: "Expected a number" }
  ],
  ["BAD_REQUEST: tableMappings[0].targetTable: Missing", { "tableMappings[0].targetTable": "Missing" }],
  ["BAD_REQUEST: name: Expected a; b; or c; port: 1: 2", { name: "Expected a; b; or c", port: "1: 2" }],
  ["BAD_REQUEST: name: one; name: two", { name: "one; two" }],
  ["CONFLICT: pipe is stopping: wait until it is Stopped", { "": "pipe is stopping: wait until it is Stopped" }],
  [
    "BAD_REQUEST: constructor: Unknown field; toString: Unknown field",
    { constructor: "Unknown field", toString: "Unknown field" }
  ],
  ["one; two", { "": "one; two" }],
  ["", { "": "" }]
])("of %s", (message, errors) => {
  expect(fieldErrorsOf(message)).toEqual(errors)
})

it("of a field that is called __proto__", () => {
  expect(Object.entries(fieldErrorsOf("BAD_REQUEST: __proto__: Unknown field"))).toEqual([
    ["__proto__", "Unknown field"]
  ])
})
