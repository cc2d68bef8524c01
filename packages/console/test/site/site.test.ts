import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { parseAst } from "vite"

/** What `npm run build` made. */
const site = join(import.meta.dirname, "../../dist/site")
const read = (name: string) => readFileSync(join(site, name))
const page = read("index.html").toString()
const scripts = readdirSync(join(site, "assets")).filter((name) => name.endsWith(".js"))

const kibibytes = (names: ReadonlyArray<string>) =>
  names.reduce((sum, name) => sum + gzipSync(read(name)).length, 0) / 1024

/** The scripts that a script loads before it runs. */
const importsOf = (script: string): ReadonlyArray<string> =>
  parseAst(read(join("assets", script)).toString()).body.flatMap((statement) =>
    statement.type === "ImportDeclaration" ||
    statement.type === "ExportAllDeclaration" ||
    (statement.type === "ExportNamedDeclaration" && statement.source !== null)
      ? [String(statement.source?.value).replace(/^\.\//, "")]
      : []
  )

/** A script with all that it loads, each once. */
const withImports = (script: string, known: Set<string> = new Set()): Set<string> => {
  if (known.has(script)) return known
  known.add(script)
  for (const name of importsOf(script)) withImports(name, known)
  return known
}

const named = (pattern: RegExp) => Array.from(page.matchAll(pattern), ([, name = ""]) => name)
const loaded = named(/<script[^>]* src="\/console\/assets\/([^"]+)"/g)
const styles = named(/<link rel="stylesheet"[^>]* href="\/console\/assets\/([^"]+)"/g)
const [entry = ""] = loaded
const first = withImports(entry)

describe("what /console loads first", () => {
  it("is one script and one style", () => {
    assert.deepStrictEqual([loaded.length, styles.length, first.size], [1, 1, 1])
    assert.strictEqual(page.match(/<script|<style|rel="(?:stylesheet|modulepreload|preload)"/g)?.length, 2)
  })

  it("is at most 60 KiB, compressed", () => {
    const size = kibibytes(["index.html", ...[...first, ...styles].map((name) => join("assets", name))])
    console.log(`what /console loads first: ${size.toFixed(1)} KiB`)
    assert.isAbove(size, 5)
    assert.isAtMost(size, 60)
  })

  it("is run from the page's own origin alone, and from no attribute", () => {
    assert.notMatch(page, /\son\w+=|\sstyle=|https?:\/\//)
    assert.match(page, /<html lang="en">/)
  })
})

describe("what a page loads later", () => {
  const later = scripts.filter((name) => !first.has(name))

  it.each(later)("%s is at most 35 KiB, compressed", (script) => {
    assert.isAtMost(kibibytes([join("assets", script)]), 35)
  })

  it("comes with no style of its own", () => {
    assert.deepStrictEqual(
      readdirSync(join(site, "assets")).filter((name) => name.endsWith(".css")),
      styles
    )
  })
})
