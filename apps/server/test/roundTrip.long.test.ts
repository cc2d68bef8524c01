import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { inClickhouseDialect, organizationId, pipes, serviceId, snapshot } from "./support/fullSnapshot.ts"
import { environmentOf, headgate, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"

const write = (directory: string, document: unknown) => {
  const file = join(directory, "snapshot.json")
  writeFileSync(file, JSON.stringify(document))
  return file
}

/** Reads every pipe with the real command line and holds that each leaf is as it was imported. */
const readAll = Effect.fnUntraced(function* (
  env: Record<string, string>,
  expected: ReadonlyArray<Record<string, any>>
) {
  yield* Effect.forEach(expected, (pipe) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* headgate(env, "pipe", "get", pipe["id"], "--json")
      assert.strictEqual(stderr, "")
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(JSON.parse(stdout), pipe)
    })
  )
})

describe("a pipe document comes back with every leaf equal", () => {
  it.live("from memory", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const credentials = join(directory, "credentials.json")
      const file = write(directory, snapshot)
      const server = yield* serverProcess("--memory", "--import", file, "--credentials-file", credentials)
      yield* readAll(environmentOf(server.url, readCredentials(credentials)[0]!), pipes)
    }).pipe(Effect.scoped)
  )

  it.live("from SQLite, and again after a restart that imports nothing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      const credentials = join(directory, "credentials.json")
      const file = write(directory, snapshot)
      const first = yield* serverProcess("--data", data, "--import", file, "--credentials-file", credentials)
      const owner = readCredentials(credentials)[0]!
      yield* readAll(environmentOf(first.url, owner), pipes)
      assert.strictEqual((yield* Effect.promise(() => first.stop())).code, 0)
      const second = yield* serverProcess("--data", data)
      yield* readAll(environmentOf(second.url, owner), pipes)
    }).pipe(Effect.scoped)
  )

  it.live("in the other dialect, whose names it is imported and read in", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      const credentials = join(directory, "credentials.json")
      const spelled = pipes.map(inClickhouseDialect)
      const file = write(directory, {
        organizations: [
          { id: organizationId, name: "sample", services: [{ id: serviceId, name: "service", pipes: spelled }] }
        ]
      })
      const server = yield* serverProcess(
        "--data",
        data,
        "--dialect",
        "clickhouse",
        "--import",
        file,
        "--credentials-file",
        credentials
      )
      const owner = readCredentials(credentials)[0]!
      yield* readAll({ ...environmentOf(server.url, owner), HEADGATE_DIALECT: "clickhouse" }, spelled)
      // The store knows one spelling: a server of the neutral dialect finds the same pipes under the neutral names.
      const neutral = yield* serverProcess("--data", data)
      yield* readAll(environmentOf(neutral.url, owner), pipes)
    }).pipe(Effect.scoped)
  )
})
