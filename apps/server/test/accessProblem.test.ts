import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type accessSync, chmodSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { accessProblem } from "../src/store/accessProblem.ts"
import { checkAccess } from "../src/store/openStore.ts"
import { temporaryDirectory } from "./support/processes.ts"

/** What the system says to a process that may not use `path`. The tests may run as root, to whom it never does. */
const refusing =
  (path: string, code: string): typeof accessSync =>
  (asked) => {
    if (asked === path) throw Object.assign(new Error(`${code}: access '${path}'`), { code })
  }

const own = `${process.geteuid?.()}:${process.getegid?.()}`

describe("why a file of the store cannot be used", () => {
  it.live("nothing, where the process may write, whether the file and its folders are there or not", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      writeFileSync(join(folder, "store"), "")
      assert.isUndefined(accessProblem(join(folder, "store"), "writes"))
      assert.isUndefined(accessProblem(join(folder, "other"), "writes"))
      assert.isUndefined(accessProblem(join(folder, "a", "b", "store"), "writes"))
    }).pipe(Effect.scoped)
  )

  it.live("a folder of another user: the folder, the user, and what to do", () =>
    Effect.sync(() => {
      // The folder of root, of whom it is never said that the server should run as it.
      const mode = (statSync("/").mode & 0o7777).toString(8).padStart(4, "0")
      const belongs =
        `/ belongs to the user 0 and the group 0 (mode ${mode}), and this process, which runs as ${own}, may not use ` +
        "it. Run "
      const refused = (file: string) => accessProblem(file, "writes", refusing("/", "EACCES"))
      assert.strictEqual(
        refused("/not-here"),
        `${belongs}\`${process.geteuid?.() === 0 ? "chmod u+rwx /" : `chown -R ${own} /`}\` as root`
      )
      // The folder above stays as it is.
      assert.strictEqual(
        refused("/not-here/data/store"),
        `${belongs}\`install -d -m 0700 -o ${process.geteuid?.()} -g ${process.getegid?.()} /not-here/data\` as root`
      )
    })
  )

  it.live("the folder before the file, and a file that is there", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      chmodSync(folder, 0o750)
      const file = join(folder, "store")
      const refused = (path: string) => accessProblem(file, "writes", refusing(path, "EACCES"))
      assert.include(refused(folder), `${folder} belongs to the user ${process.geteuid?.()} `)
      assert.include(refused(folder), "(mode 0750)")
      assert.include(refused(folder), `Run \`chmod u+rwx ${folder}\` as root`)
      assert.isUndefined(refused(file))
      // The folder of a file that is only read may belong to anybody.
      assert.isUndefined(accessProblem(file, "reads", refusing(folder, "EACCES")))
      writeFileSync(file, "", { mode: 0o600 })
      assert.include(refused(file), `${file} belongs to the user `)
      assert.include(refused(file), `Run \`chmod u+rw ${file}\` as root`)
      assert.strictEqual(accessProblem(file, "reads", refusing(file, "EACCES")), refused(file))
    }).pipe(Effect.scoped)
  )

  it.live("a read-only file system is told as one", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      assert.strictEqual(
        accessProblem(join(folder, "a", "store"), "writes", refusing(folder, "EROFS")),
        `${folder} is on a read-only file system: name a folder that can be written, in a container one of a volume`
      )
    }).pipe(Effect.scoped)
  )

  it.live("the key beside a database, unless the flag names another file", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const [filename, key] = [join(folder, "store"), join(folder, "sealing.key")]
      writeFileSync(key, "")
      const check = (sealingKeyFile: Option.Option<string>) =>
        checkAccess({ sealingKeyFile }, filename, refusing(key, "EACCES"))
      assert.include((yield* Effect.flip(check(Option.none()))).message, `cannot be used: ${key} belongs to`)
      yield* check(Option.some(join(folder, "other.key")))
    }).pipe(Effect.scoped)
  )
})
