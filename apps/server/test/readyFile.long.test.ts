import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { operate, serverProcess, startingServer, temporaryDirectory } from "./support/processes.ts"

/** Waits for a file as a suite does; a server that says that it takes requests has written it, or is about to. */
const thereIs = (file: string) =>
  Effect.promise(async () => {
    while (!existsSync(file)) await sleep(10)
  })

describe("--ready-file", () => {
  it.live("holds the URL from when the server takes requests until it ends, and not that of a server before", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const file = join(folder, "url")
      writeFileSync(`${file}.new`, "mine")
      const first = yield* startingServer("--memory", "--ready-file", file)
      yield* thereIs(file)
      const earlier = readFileSync(file, "utf8")
      assert.match(earlier, /^http:\/\/127\.0\.0\.1:\d+\n$/)
      const { status } = yield* Effect.promise(() => fetch(`${earlier.trim()}/readyz`))
      assert.strictEqual(status, 200)
      const second = yield* serverProcess("--memory", "--ready-file", file)
      yield* thereIs(file)
      assert.strictEqual(readFileSync(file, "utf8"), `${second.url}\n`)
      assert.notStrictEqual(`${second.url}\n`, earlier)
      // What another server has written, the earlier one leaves.
      first.child.kill("SIGTERM")
      yield* Effect.promise(() => first.finished)
      assert.deepStrictEqual(readdirSync(folder), ["url", "url.new"])
      yield* Effect.promise(() => second.stop())
      // A file of another name is not the server's.
      assert.deepStrictEqual(readdirSync(folder), ["url.new"])
      assert.strictEqual(readFileSync(`${file}.new`, "utf8"), "mine")
    }).pipe(Effect.scoped)
  )

  it.live("is gone after a start that fails: nobody takes it for a server", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "url")
      writeFileSync(file, "http://127.0.0.1:7420\n")
      const { code } = yield* operate("--memory", "--ready-file", file, "--admin-postgres")
      assert.strictEqual(code, 2)
      assert.isFalse(existsSync(file))
    }).pipe(Effect.scoped)
  )

  it.live("ends the start where it cannot be written, or is something else, which stays as it is", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const notes = join(folder, "notes")
      writeFileSync(notes, "mine")
      mkdirSync(join(folder, "folder"))
      for (const [name, why] of [
        ["notes", "it is there and holds no URL of a server: name another file"],
        ["folder", "it is there and holds no URL of a server: name another file"],
        ["no-folder/url", "there is no such file"]
      ]) {
        const path = join(folder, `${name}`)
        const { code, stderr } = yield* operate("--memory", "--port", "0", "--ready-file", path)
        assert.deepStrictEqual([code, stderr], [1, `headgate-server: --ready-file ${path}: ${why}\n`])
      }
      assert.strictEqual(readFileSync(notes, "utf8"), "mine")
      assert.deepStrictEqual(readdirSync(folder).toSorted(), ["folder", "notes"])
    }).pipe(Effect.scoped)
  )
})
