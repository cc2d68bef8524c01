import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("processes/exitAtOnce.ts", import.meta.url))

describe("a process with the embedded engine", () => {
  it.effect("ends with its exit code and all that it has printed, without the handlers that come later", () =>
    Effect.sync(() => {
      for (const code of [0, 3]) {
        const ended = spawnSync(process.execPath, [script, String(code)], { encoding: "utf8" })
        assert.deepStrictEqual([ended.status, ended.signal, ended.stderr], [code, null, ""])
        assert.strictEqual(ended.stdout, `${"x".repeat(100_000)}\n`)
      }
    })
  )
})
