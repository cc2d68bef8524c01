import { neutral, operations } from "@headgate/http-contract"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as entry from "../src/index.ts"
import { createTestClient } from "../src/testing/index.ts"
import { nounOf } from "./support/nouns.ts"

const headgate = createTestClient()
const address = { organizationId: "", serviceId: "" }

/** The methods of a noun: below a service they are there once it has an address. */
const methodsOf = (group: object): object =>
  "of" in group && typeof group.of === "function" ? group.of(address) : group

const tables = Object.entries(operations(neutral)).flatMap(([noun, table]) =>
  Object.keys(table).map((name) => [noun, name] as const)
)

describe("every operation of the contract is a method", () => {
  it.each(tables)("%s.%s", (noun, name) => {
    const group: object = Reflect.get(headgate, Reflect.get(nounOf, noun))
    assert.isTrue(typeof Reflect.get(methodsOf(group), name) === "function")
  })
})

/** The calls that a cell of the README names: `noun.method(...)`, or nouns before a colon and methods after it. */
const callsIn = (cell: string): ReadonlyArray<string> => {
  const [before = "", ...after] = cell.split("`: `")
  if (after.length === 0) return Array.from(cell.matchAll(/`(\w+\.\w+)\(/g), ([, call = ""]) => call)
  const nouns = before.matchAll(/\w+/g)
  const methods = Array.from(`\`${after.join("")}`.matchAll(/`(\w+)\(/g), ([, method = ""]) => method)
  return Array.from(nouns).flatMap(([noun]) => methods.map((method) => `${noun}.${method}`))
}

describe("the README", () => {
  const text = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  const rows = text.split("| Call | Result |\n|---|---|\n")[1]?.split("\n\n")[0]?.split("\n") ?? []
  const listed = new Set(rows.flatMap((row) => callsIn(row.split(" | ")[0] ?? "")))
  // Below a service the methods are those of the documents: the README names `of`.
  const methods = Object.entries(headgate).flatMap(([noun, group]: readonly [string, object | (() => unknown)]) =>
    typeof group === "function" ? [] : Object.keys(group).map((method) => `${noun}.${method}`)
  )

  it("lists every method of the client", () => {
    assert.isAbove(methods.length, 60)
    assert.deepStrictEqual(
      methods.filter((method) => !listed.has(method)),
      []
    )
  })

  it("lists every class of errors", () => {
    const classes = Object.keys(entry).filter((name) => name.endsWith("Error") && !/^(?:is|Headgate)/.test(name))
    assert.isAbove(classes.length, 20)
    assert.deepStrictEqual(
      classes.filter((name) => !text.includes(`\`${name}\``)),
      []
    )
  })

  it("lists no other method", () => {
    assert.deepStrictEqual(
      [...listed].filter((method) => !methods.includes(method)),
      []
    )
  })
})
