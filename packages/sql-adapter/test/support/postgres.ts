// A real Postgres for the tests of a file. Tests of other packages may import this module by its relative path.
import { describe } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { env } from "node:process"
import { afterAll, beforeAll, vi } from "vitest"
import { postgresBinaries } from "./postgresBinaries.ts"
import { startPostgres, type TestPostgres } from "./startPostgres.ts"

/**
 * A suite over a Postgres that starts before its first test and stops after its last. `postgres` succeeds within tests,
 * not while the suite is declared.
 *
 * If the machine has no Postgres, the suite is skipped with a message on stderr; with HEADGATE_REQUIRE_POSTGRES=1 it
 * fails.
 */
export const describePostgres = (name: string, body: (postgres: Effect.Effect<TestPostgres>) => void): void => {
  const binaries = postgresBinaries()
  const isRequired = env["HEADGATE_REQUIRE_POSTGRES"] === "1"
  const missing = `${name}: NOT TESTED, for this machine has no Postgres (apt-get install -y postgresql)`
  if (binaries === undefined && !isRequired) console.error(`\n${missing}\n`)

  describe.skipIf(binaries === undefined && !isRequired)(`${name}`, () => {
    // A test may open a database of its own, and more.
    vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
    const scope = Scope.makeUnsafe()
    let running: TestPostgres | undefined
    beforeAll(async () => {
      if (binaries === undefined) throw new Error(`${missing}, and HEADGATE_REQUIRE_POSTGRES=1`)
      running = await Effect.runPromise(Scope.provide(startPostgres(binaries), scope))
    })
    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    body(
      Effect.suspend(() => (running === undefined ? Effect.die("Postgres has not started") : Effect.succeed(running)))
    )
  })
}

/** The sealing key of the databases of the tests. */
export const sealingKey = Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")
