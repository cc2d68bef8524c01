import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { type NodeSqliteOptions, SqlAdapter } from "../src/index.ts"

// On Linux in memory: a commit waits for the disk, and no test crashes the machine.
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
const makeFolder = () => mkdtempSync(join(parent, "headgate-sql-"))
const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** The path of a database that does not exist yet, in a folder that is removed when the scope closes. */
export const temporaryFilename = Effect.acquireRelease(Effect.sync(makeFolder), (folder) =>
  Effect.sync(() => removeFolder(folder))
).pipe(Effect.map((folder) => join(folder, "data", "headgate.db")))

/** The adapter over a new database file, which is removed when the scope closes. */
export const layerTemporary = (options?: Omit<NodeSqliteOptions, "filename">) =>
  Layer.unwrap(Effect.map(temporaryFilename, (filename) => SqlAdapter.layerSqlite({ ...options, filename })))

/**
 * The adapter over a copy of a database whose tables were created once for all tests of the file. For many tests: to
 * create the tables takes a third of the time of a law.
 */
export const layerCopied = () => {
  let template = ""
  beforeAll(async () => {
    template = makeFolder()
    const filename = join(template, "headgate.db")
    await Effect.runPromise(Effect.scoped(Layer.build(SqlAdapter.layerSqlite({ filename }))))
  })
  afterAll(() => removeFolder(template))
  return Layer.unwrap(
    Effect.map(temporaryFilename, (filename) => {
      const folder = dirname(filename)
      mkdirSync(folder, { mode: 0o700 })
      for (const file of ["headgate.db", "sealing.key"]) copyFileSync(join(template, file), join(folder, file))
      return SqlAdapter.layerSqlite({ filename })
    })
  )
}
