import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"
import { withEagerFunctions } from "../eagerFunctions.mjs"

const source = `
export const twice = (n) => { globalThis.at = n; return n + n }
export const never = (n) => { globalThis.at = n; return n - n }
export const named = function named(n) { globalThis.at = n; return n }
const object = { method(n) { globalThis.at = n; return n } }
console.log(twice(Number(process.argv[2])), named(object.method(1)))
`

type Run = (args: ReadonlyArray<string>, environment: object) => Promise<{ readonly stdout: string }>

describe("withEagerFunctions", () => {
  it("encloses the functions that a run calls, and no others", async () => {
    const dir = mkdtempSync(join(tmpdir(), "headgate-eager-"))
    const input = join(dir, "main.js")
    writeFileSync(input, source)
    const printed: Array<string> = []
    const config = { input, plugins: [], output: { entryFileNames: "[name].mjs", minify: { mangle: false } } }
    const eager = await withEagerFunctions(config, async (run: Run) => {
      printed.push((await run(["2"], {})).stdout)
    })
    const bundle = await rolldown({ input: eager.input, plugins: eager.plugins })
    const [{ code }] = (await bundle.generate(eager.output)).output
    rmSync(dir, { recursive: true })
    assert.deepStrictEqual(printed, ["4 1\n"])
    assert.match(code, /twice=\(n=>/)
    assert.match(code, /never=n=>/)
    assert.match(code, /named=\(function/)
    assert.match(code, /method\(n\)\{/)
  })

  it("leaves no folder when a run fails", async () => {
    const dir = mkdtempSync(join(tmpdir(), "headgate-eager-"))
    const input = join(dir, "main.js")
    writeFileSync(input, "console.log(process.argv[1])")
    const config = { input, plugins: [], output: { entryFileNames: "[name].mjs" } }
    const failed = withEagerFunctions(config, async (run: Run) => {
      throw new Error((await run([], {})).stdout.trim())
    })
    const program = await failed.then(
      () => "none",
      ({ message }: Error) => message
    )
    rmSync(dir, { recursive: true })
    assert.match(program, /headgate-bundle-.*main\.mjs$/)
    assert.isFalse(existsSync(dirname(program)))
  })
})
