import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { operate, serverProcess, temporaryDirectory } from "./support/processes.ts"

/** The files of a store whose server was killed: nearly all of it is in the write-ahead log. */
const killedStore = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const data = join(directory, "data")
  const server = yield* serverProcess("--data", data)
  yield* Effect.promise(() => server.stop("SIGKILL"))
  const database = join(data, "headgate.sqlite")
  return { directory, data, database, wal: `${database}-wal` }
})

const refused = Effect.fnUntraced(function* (named: string, ...args: ReadonlyArray<string>) {
  const { code, stderr } = yield* operate("--port", "0", ...args)
  assert.strictEqual(code, 1)
  assert.include(stderr, named)
  assert.notMatch(stderr, /hg[st]_/)
})

it.live("an empty database file beside its write-ahead log is refused by name, and nothing is changed", () =>
  Effect.gen(function* () {
    const { data, database, wal } = yield* killedStore
    const copy = readFileSync(wal)
    truncateSync(database)
    yield* refused(wal, "--data", data)
    assert.isTrue(readFileSync(wal).equals(copy))
    assert.lengthOf(readFileSync(database), 0)
  }).pipe(Effect.scoped)
)

it.live(
  "a database file that is gone is missed beside its write-ahead log; an export may be restored beside its sealing key",
  () =>
    Effect.gen(function* () {
      const { data, database, wal } = yield* killedStore
      const copy = readFileSync(wal)
      rmSync(database)
      yield* refused(`${database} is not there, but ${wal} is`, "--data", data)
      assert.isTrue(readFileSync(wal).equals(copy))
      for (const suffix of ["-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true })
      assert.deepStrictEqual(readdirSync(data), ["sealing.key"])
      const server = yield* serverProcess("--data", data)
      assert.include(server.printed.stderr, "New credentials")
    }).pipe(Effect.scoped)
)

it.live("a write-ahead log whose header is damaged is refused by name, and an undamaged one is the store", () =>
  Effect.gen(function* () {
    const { data, database, wal, directory } = yield* killedStore
    const other = join(directory, "other")
    mkdirSync(other)
    copyFileSync(database, join(other, "headgate.sqlite"))
    copyFileSync(wal, join(other, "headgate.sqlite-wal"))
    copyFileSync(join(data, "sealing.key"), join(other, "sealing.key"))
    const bytes = readFileSync(wal)
    bytes.writeUInt8(bytes.readUInt8(17) ^ 0xff, 17)
    writeFileSync(wal, bytes)
    yield* refused(wal, "--data", data)
    const { code, stdout } = yield* operate("key", "list", "--data", other)
    assert.strictEqual(code, 0)
    assert.include(stdout, "first admin key")
  }).pipe(Effect.scoped)
)

it.live(
  "a write-ahead log whose first frame is damaged, or that is gone, is refused by name beside the sealing key",
  () =>
    Effect.gen(function* () {
      const { data, wal } = yield* killedStore
      const whole = readFileSync(wal)
      // In the checksum, and in the page, of the first frame.
      for (const at of [32 + 17, 32 + 24 + 100]) {
        const bytes = Buffer.from(whole)
        bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
        writeFileSync(wal, bytes)
        yield* refused(`${wal} is there and is damaged`, "--data", data)
        assert.isTrue(readFileSync(wal).equals(bytes))
      }
      rmSync(wal)
      yield* refused(`${wal} is not there`, "--data", data)
      writeFileSync(wal, whole)
      const { code, stdout } = yield* operate("key", "list", "--data", data)
      assert.strictEqual(code, 0)
      assert.include(stdout, "first admin key")
    }).pipe(Effect.scoped)
)

it.live("a credentials file that is no file is refused and not read", () =>
  Effect.gen(function* () {
    const data = yield* temporaryDirectory
    yield* refused(
      "--credentials-file /dev/zero: Expected a file, or none yet: name another",
      "--data",
      data,
      "--credentials-file",
      "/dev/zero"
    )
  }).pipe(Effect.scoped)
)

it.live(
  "an empty database file beside credentials or a sealing key is refused by name; alone it is a first start",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const database = join(directory, "headgate.sqlite")
      const credentials = join(directory, "credentials.json")
      const sealingKey = join(directory, "sealing.key")
      writeFileSync(database, "")
      writeFileSync(credentials, "[]")
      yield* refused(credentials, "--data", directory, "--credentials-file", credentials)
      writeFileSync(sealingKey, "key")
      yield* refused(sealingKey, "--data", directory)

      const alone = yield* temporaryDirectory
      writeFileSync(join(alone, "headgate.sqlite"), "")
      const server = yield* serverProcess("--data", alone)
      assert.include(server.printed.stderr, "is empty: this is a first start")
    }).pipe(Effect.scoped)
)
