import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"

/** Runs a benchmark as `npm run bench:<name>` does. */
const run = (name: string, ...args: ReadonlyArray<string>) => {
  const script = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))
  return spawnSync(process.execPath, [script, ...args], { encoding: "utf8" })
}

// bench:server and bench:move take minutes however little they measure. server/verify.long.test.ts starts servers that are compared.
describe("--quick runs a benchmark to its end and prints a line for every contestant", () => {
  it.each<{ readonly name: string; readonly lines: ReadonlyArray<string> }>([
    { name: "cli", lines: ["node -e 0", "headgate --version", "fetch, print JSON", "headgate pipe get"] }
  ])("bench:$name", ({ lines, name }) => {
    const { status, stderr, stdout } = run(name, "--quick", "--rounds", "1")
    assert.strictEqual(status, 0, stderr)
    for (const line of lines) assert.include(stdout, `\n${line} `)
    assert.match(stdout, /target +measured +reached\n/)
    assert.notInclude(stdout, "NaN")
  })
})

describe.skipIf(postgresBinaries() === undefined)("bench:store", () => {
  it("prints what a small store costs, and every server has its pipes", () => {
    const { status, stderr, stdout } = run("store", "--pipes", "20", "--servers", "2", "--seconds", "2")
    assert.strictEqual(status, 0, stderr)
    for (const pipes of [20, 100]) assert.match(stdout, new RegExp(`^SqlLeases\\.share, ${pipes} pipes +[1-9]`, "m"))
    assert.match(stdout, /^pipes without a mover +<= 0\.00 +0\.00 +yes$/m)
    assert.notInclude(stdout, "NaN")
  })
})

it("a benchmark with a wrong command line exits with 2 and names the flag", () => {
  const { status, stderr } = run("cli", "--rounds", "0")
  assert.strictEqual(status, 2)
  assert.include(stderr, "--rounds")
})
