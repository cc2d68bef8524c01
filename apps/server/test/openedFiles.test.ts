import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { serverProcessIn, temporaryDirectory } from "./support/processes.ts"

/** Runs in the server, before its first file. */
const writeLoaded = `
  import { appendFileSync } from "node:fs"
  import { registerHooks } from "node:module"
  registerHooks({ load: (url, context, next) => {
    appendFileSync(process.env.LOADED_FILES, url + "\\n")
    return next(url, context)
  } })`

const ofMover = /\/(mover(?:-[a-z-]+)?|clickhouse)\/dist\//u

/** The modules that the files of the bundle were made of which a server opens until it listens. */
const openedModules = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "loaded")
    const env = {
      LOADED_FILES: file,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(writeLoaded)}`
    }
    yield* serverProcessIn(env, ...args)
    const files = readFileSync(file, "utf8").split("\n")
    const bundled = files.filter((url) => url.endsWith(".mjs") && url.includes("/apps/server/dist/"))
    assert.isNotEmpty(bundled)
    return bundled.flatMap((url): ReadonlyArray<string> => {
      const map = readFileSync(`${fileURLToPath(url)}.map`, "utf8")
      return JSON.parse(map).sources
    })
  })

const openedOfMover = (...args: ReadonlyArray<string>) =>
  Effect.map(openedModules(...args), (modules) => modules.filter((module) => ofMover.test(module)))

describe("the files that a server opens", () => {
  it.live("are none of the mover's without --warehouse, over memory and over SQLite", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* openedOfMover("--memory"), [])
      assert.deepStrictEqual(yield* openedOfMover("--data", yield* temporaryDirectory), [])
    })
  )

  it.live("are none of a source's with --warehouse, as long as no pipe reads it", () =>
    Effect.gen(function* () {
      const opened = yield* openedOfMover("--memory", "--warehouse", "http://127.0.0.1:9")
      const packages = new Set(opened.map((module) => ofMover.exec(module)?.[1]))
      assert.deepStrictEqual(Array.from(packages).toSorted(), [
        "clickhouse",
        "mover",
        "mover-clickhouse",
        "mover-runtime"
      ])
    })
  )
})
