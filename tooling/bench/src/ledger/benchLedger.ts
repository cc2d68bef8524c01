// How many ranges a second builds write to a ledger in a Postgres that waits for its disk, in one interleaved run.
import { startHelper } from "@headgate/harness/HelperProcess"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { say } from "@headgate/harness/Verdict"
import { table, targetTable } from "@headgate/harness/table"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { Postgres } from "@headgate/sql-adapter"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { postgresBinaries } from "../../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { startPostgres, type TestPostgres } from "../../../../packages/sql-adapter/test/support/startPostgres.ts"

const script = new URL("writeRanges.ts", import.meta.url)
const here = join(import.meta.dirname, "..", "..", "..", "..")

interface Measured {
  readonly ranges: number
  readonly seconds: number
  /** User and system time of the process that writes, in milliseconds. */
  readonly cpu: number
}

/** How many partitions of how many pipes are written at once. A mover has four ranges of a pipe in flight. */
const loads = [
  { title: "one pipe, 1 partition", pipes: 1, partitions: 1 },
  { title: "one pipe, 4 partitions", pipes: 1, partitions: 4 },
  { title: "one pipe, 8 partitions", pipes: 1, partitions: 8 },
  { title: "100 pipes, 1 partition", pipes: 100, partitions: 1 }
]

const names = { now: "this build", before: "the build before" }

const rate = ({ ranges, seconds }: Measured) => seconds / ranges

/** How many commits a second one connection makes, one after the other: the disk sets it. */
const commitsOf = (postgres: TestPostgres) =>
  Effect.gen(function* () {
    const url = yield* postgres.createEmptyDatabase
    return yield* Effect.provide(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE counter AS SELECT 0 AS value`
        const end = performance.now() + 2000
        let commits = 0
        for (; performance.now() < end; commits += 1) yield* sql`UPDATE counter SET value = value + 1`
        return commits / 2
      }),
      Postgres.layer({ url })
    )
  }).pipe(Effect.scoped)

/**
 * Measures this build and the one of the checkout at `before`, if there is one. Every round measures each of them once, in a process and a
 * database of its own.
 */
export const benchLedger = Effect.fnUntraced(function* (rounds: number, seconds: number, before: string | undefined) {
  const binaries = postgresBinaries()
  if (binaries === undefined) return yield* Effect.fail("Postgres is not installed: apt-get install -y postgresql")
  if (before !== undefined && !existsSync(join(before, "packages/sql-adapter/dist/index.js")))
    return yield* Effect.fail(`${before}: no checkout that was built`)
  const postgres = yield* startPostgres(binaries, { settings: ["fsync=on", "full_page_writes=on", "autovacuum=on"] })
  const contestants = [
    { name: names.now, root: here },
    ...(before === undefined ? [] : [{ name: names.before, root: before }])
  ]
  say(`commits of one connection, one after the other: ${Math.round(yield* commitsOf(postgres))} a second`)
  const ratios: Array<{ readonly what: string; readonly measured: number; readonly atLeast: number }> = []
  for (const { partitions, pipes, title } of loads) {
    const measured = yield* Effect.promise(() =>
      runRounds(contestants, rounds, ({ root }) =>
        Effect.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const url = Redacted.value(yield* postgres.createEmptyDatabase)
              const helper = startHelper(script, [root, url, ...[pipes, partitions, seconds].map(String)])
              // What the script sends.
              const found = (yield* Effect.promise(() => helper.next())) as Measured
              yield* Effect.sleep(Duration.millis(100))
              return found
            })
          )
        )
      )
    )
    say()
    for (const line of table([
      [`${title}, ${rounds} rounds`, "ranges/s", "CPU ms/range"],
      ...contestants.map(({ name }) => [
        name,
        (1 / medianOf(measured, name, rate)).toFixed(0),
        medianOf(measured, name, ({ cpu, ranges }) => cpu / ranges).toFixed(2)
      ])
    ]))
      say(line)
    if (before !== undefined) {
      ratios.push({
        what: `${title}: ranges a second, ${names.now} / ${names.before}`,
        atLeast: pipes === 1 && partitions === 4 ? 3 : 1,
        measured: medianRatio(measured, names.before, names.now, rate)
      })
    }
  }
  say()
  if (before === undefined) say("Without --before there is no build to compare with.")
  else for (const line of targetTable(ratios)) say(line)
}, Effect.scoped)
