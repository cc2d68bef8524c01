import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { serverProcessIn, temporaryDirectory } from "./support/processes.ts"

/** Runs in the server, before its first file: notes each module, and each file and folder that is read. */
const writeLoaded = `
  import fs from "node:fs"
  import { registerHooks, syncBuiltinESMExports } from "node:module"
  const { appendFileSync } = fs
  const note = (path) => appendFileSync(process.env.LOADED_FILES, String(path) + "\\n")
  for (const name of ["readFileSync", "openSync", "readdirSync", "readFile", "open"]) {
    const read = fs[name]
    fs[name] = (...args) => {
      if (typeof args[0] !== "number") note(args[0])
      return read(...args)
    }
  }
  syncBuiltinESMExports()
  registerHooks({ load: (url, context, next) => {
    note(url)
    return next(url, context)
  } })`

const ofMover = /\/(mover(?:-[a-z-]+)?|clickhouse)\/dist\//u

/** A server, and the files that it has opened so far: URLs of modules, and paths. */
const watchedServer = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "loaded")
    const env = {
      LOADED_FILES: file,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(writeLoaded)}`
    }
    const { url } = yield* serverProcessIn(env, ...args)
    return { url, opened: () => readFileSync(file, "utf8").split("\n") }
  })

/** The modules that the files of the bundle were made of which a server opens until it listens. */
const openedModules = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { opened } = yield* watchedServer(...args)
    const bundled = opened().filter((url) => url.startsWith("file:") && /\/apps\/server\/dist\/.*\.mjs$/u.test(url))
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

  it.live("are none of the console's until somebody asks for it, and none is read again", () =>
    Effect.gen(function* () {
      const { opened, url } = yield* watchedServer("--memory")
      const ofConsole = () => opened().filter((file) => /\/dist\/(?:console\/|part-consoleSite)/u.test(file))
      const get = (path: string) => Effect.promise(() => fetch(url + path).then((answer) => answer.text()))
      yield* get("/")
      yield* get("/docs")
      assert.deepStrictEqual(ofConsole(), [])
      const page = yield* get("/console")
      const read = ofConsole()
      const [script = ""] = /\/console\/assets\/[^"]+\.js/u.exec(page) ?? []
      for (const file of ["part-consoleSite.mjs", "/console/index.html", script]) {
        assert.isTrue(
          read.some((path) => path.endsWith(file)),
          file
        )
      }
      for (const path of ["/console", "/console/pipes", script]) yield* get(path)
      assert.deepStrictEqual(ofConsole(), read)
    })
  )
})
