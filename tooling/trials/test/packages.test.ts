// trial:packages (tooling/packaging) runs on damaged packages and must fail.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const script = fileURLToPath(new URL("../../packaging/src/trialPackages.ts", import.meta.url))

const run = (broken: string) =>
  new Promise<{ readonly code: unknown; readonly output: string }>((resolve) => {
    execFile(process.execPath, [script, "--broken", broken], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

describe("trial:packages turns red", () => {
  it.each([
    ["an export leads nowhere", "exports", /RED import a core schema and decode\n[^]*ERR_MODULE_NOT_FOUND/],
    [
      "a declaration file was left out",
      "types",
      /RED \d+ entry points, \d programs and the type of every field, \d+ of the client: TypeScript [^]*Pipe/
    ],
    ["a file of the code was left out", "code", /RED swap adapters under one program\n[^]*ERR_MODULE_NOT_FOUND/],
    ["the bundle was left out", "bundle", /RED the installed headgate-server takes requests\n[^]*not built yet/]
  ])(
    "when %s",
    async (_, broken, expected) => {
      const { code, output } = await run(broken)
      assert.match(output, expected)
      assert.match(output, /^packages: .* [1-9]\d* faults$/m)
      assert.strictEqual(code, 1)
    },
    600_000
  )
})
