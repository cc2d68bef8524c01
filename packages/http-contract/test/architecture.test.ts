import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as contract from "../src/index.ts"

const page = join(import.meta.dirname, "../../../docs/architecture.md")

/** The first cells of each row of the table below a heading. */
const rowsBelow = (heading: string) => {
  const [, section = ""] = readFileSync(page, "utf8").split(`## ${heading}\n`)
  const rows =
    section
      .split("\n## ")[0]
      ?.split("\n")
      .filter((line) => line.startsWith("| ")) ?? []
  return rows.slice(1).map((row) => row.split("|").map((cell) => cell.trim()))
}

it("docs/architecture.md names every noun with its table and its operations", () => {
  const tables = Object.entries(contract.operations(contract.neutral))
  assert.deepStrictEqual(
    Object.fromEntries(rowsBelow("The nouns").map(([, noun, , , , operations]) => [noun, operations])),
    Object.fromEntries(tables.map(([noun, table]) => [noun, Object.keys(table).join(", ")]))
  )
})

const links = rowsBelow("The nouns").map(([, noun, , port = "", table = ""]) => ({ noun, port, table }))

it.each(links)("docs/architecture.md links to the port and the table of $noun", ({ port, table }) => {
  for (const link of [port, table]) {
    const [, name, path = ""] = /^\[`(\w+)`\]\((.+)\)$/u.exec(link) ?? []
    const text = readFileSync(join(page, "..", path), "utf8")
    assert.match(text, new RegExp(String.raw`^export (?:const|class) ${name}\b`, "mu"))
  }
})
