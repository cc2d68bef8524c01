import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { contestants as clients } from "../src/client/contestants.ts"
import { contestants as decoders } from "../src/decode/contestants.ts"

/** Runs a benchmark as `npm run bench:<name>` does. */
const run = (name: string, ...args: ReadonlyArray<string>) => {
  const script = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))
  return spawnSync(process.execPath, [script, ...args], { encoding: "utf8" })
}

describe("--quick runs a benchmark to its end: every contestant does the work, and has its line", () => {
  it.each([
    { name: "decode", lines: decoders.map(({ name }) => name) },
    { name: "client", lines: clients.map(({ name }) => name) },
    { name: "size", lines: ["headgate: decode a pipe", "openapi-fetch + zod 4: one call"] }
  ])("bench:$name", ({ lines, name }) => {
    const { status, stderr, stdout } = run(name, "--quick")
    assert.strictEqual(status, 0, stderr)
    for (const line of lines) assert.include(stdout, `\n${line} `)
    assert.match(stdout, /target +measured +reached\n/)
    assert.notInclude(stdout, "NaN")
  })
})

describe("a benchmark that is told nonsense", () => {
  it.each([["--rounds", "0"], ["--rounds", "many"], ["--fast"]])("says so: %s", (...args) => {
    const { status, stderr } = run("size", ...args)
    assert.strictEqual(status, 2)
    assert.include(stderr, args[0])
  })
})
