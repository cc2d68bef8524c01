// A real Postgres for the tests of a file. Tests of other packages may import this module by its relative path.
import { describe } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { env } from "node:process"
import { beforeAll, vi } from "vitest"
import { postgresBinaries } from "./postgresBinaries.ts"
import { startPostgres, type TestPostgres } from "./startPostgres.ts"

// The files of a worker run one after another and share their modules, so they share this server, too. It ends with the
// worker.
let running: Promise<TestPostgres> | undefined

// The start writes a database cluster, which has taken more than a minute on a machine with other work. Vitest reports the
// tests of a suite whose start timed out as skipped.
const startTimeout = 600_000

const start = (binaries: string) =>
  (running ??= Effect.runPromise(Scope.provide(startPostgres(binaries), Scope.makeUnsafe())))

/**
 * A suite over a Postgres that starts before its first test. `postgres` succeeds within tests, not while the suite is
 * declared.
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
    // A test may open a database of its own, and more. The timeout only ends what hangs.
    vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
    let started: TestPostgres | undefined
    beforeAll(async () => {
      if (binaries === undefined) throw new Error(`${missing}, and HEADGATE_REQUIRE_POSTGRES=1`)
      started = await start(binaries)
    }, startTimeout)
    body(
      Effect.suspend(() => (started === undefined ? Effect.die("Postgres has not started") : Effect.succeed(started)))
    )
  })
}

/** The sealing key of the databases of the tests. */
export const sealingKey = Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")

/** For a store in which no call fails because many wait and the machine is slow. */
export const noTimeouts = { connectTimeout: "5 minutes", statementTimeout: "5 minutes" } as const
