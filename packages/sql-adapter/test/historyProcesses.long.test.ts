import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { History } from "@headgate/mover"
import { lawPipeId as pipeId } from "@headgate/mover/laws"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { join } from "node:path"
import { execPath } from "node:process"
import { Postgres } from "../src/index.ts"
import { SqlHistory } from "../src/mover/index.ts"
import { openStore } from "./processes/openStore.ts"
import { fastClock, firstMinute, setFastClock } from "./support/fastClock.ts"
import { insertPipes } from "./support/ledgers.ts"
import { describePostgres } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

/** A process that moves the pipe, from its first line to its last. Minutes since the start of the test. */
interface Life {
  from: number
  to: number
  readonly lines: Array<string>
}

/** Runs processes that move a pipe, each for some minutes, each begun some minutes after the one before, and kills them with SIGKILL. */
const runProcesses = Effect.fnUntraced(function* (
  store: string,
  start: number,
  plan: ReadonlyArray<{ readonly begins: number; readonly minutes: number }>
) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const script = join(import.meta.dirname, "processes", "noteHistory.ts")
  const minute = Effect.map(Clock.currentTimeMillis, (now) => (now - start) / 1000)
  const run = Effect.fnUntraced(function* ({ begins, minutes }: { readonly begins: number; readonly minutes: number }) {
    yield* Effect.sleep(begins * 1000)
    const life: Life = { from: NaN, to: NaN, lines: [] }
    const child = yield* spawner.spawn(ChildProcess.make(execPath, [script, store, String(start)]))
    const read = child.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.runForEach((line) =>
        Effect.map(minute, (now) => {
          if (line === "taken") life.from = now
          life.lines.push(line)
        })
      )
    )
    const reading = yield* Effect.forkChild(Effect.ignore(read))
    while (Number.isNaN(life.from)) yield* Effect.sleep("20 millis")
    yield* Effect.sleep(minutes * 1000)
    yield* child.kill({ killSignal: "SIGKILL" }).pipe(Effect.ignore)
    life.to = yield* minute
    yield* Effect.ignore(Effect.timeout(Fiber.join(reading), "2 seconds"))
    return life
  })
  return yield* Effect.forEach(plan, (one) => Effect.scoped(run(one)), { concurrency: "unbounded" })
}, Effect.provide(NodeServices.layer))

const rowsIn = (lives: ReadonlyArray<Life>, word: string): number =>
  lives
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => (line.startsWith(word) ? sum + Number(line.slice(word.length)) : sum), 0)

/** Compares a history with when processes lived and what they have delivered. */
const check = Effect.fnUntraced(function* (lives: ReadonlyArray<Life>) {
  const history = yield* History
  const spans = yield* history.read(pipeId, firstMinute, firstMinute + 10_000)
  const rows = spans.reduce((sum, span) => sum + span.rows, 0)
  // What was delivered between the last note of a process and its end is noted by the next one.
  assert.isAtLeast(rows, rowsIn(lives.slice(0, -1), "done "))
  assert.isAtMost(rows, rowsIn(lives, "begin "))
  assert.isTrue(spans.every((span) => span.rows >= 0))
  const found = new Set(
    spans.flatMap(({ at, minutes }) => Array.from({ length: minutes }, (_, index) => at - firstMinute + index))
  )
  for (const { from, to } of lives) {
    // The first and the last minute of a life are not whole.
    for (let minute = Math.ceil(from); minute < Math.floor(to) - 1; minute += 1) {
      assert.isTrue(found.has(minute), `a hole at ${minute} of ${from} to ${to}`)
    }
  }
  for (const minute of found) {
    assert.isTrue(
      lives.some(({ from, to }) => minute >= Math.floor(from) - 1 && minute <= Math.floor(to)),
      `nobody lived at ${minute}`
    )
  }
})

/** What the history of a pipe shows of processes that are killed. */
const laws = <E>(
  name: string,
  newStore: (start: number) => Effect.Effect<string, E, Scope.Scope>,
  plan: ReadonlyArray<{ readonly begins: number; readonly minutes: number }>
) =>
  it.live(`${name}: of processes that are killed, the history has what they delivered, and gaps where none lived`, () =>
    Effect.gen(function* () {
      const start = yield* Clock.currentTimeMillis
      const store = yield* newStore(start)
      const inStore = Layer.provideMerge(SqlHistory.layer, openStore(store))
      yield* Effect.provide(insertPipes(pipeId), inStore)
      const lives = yield* runProcesses(store, start, plan)
      assert.lengthOf(lives, plan.length)
      yield* Effect.provideService(
        Effect.provide(check(lives), inStore),
        Clock.Clock,
        fastClock(yield* Clock.Clock, start)
      )
    }).pipe(Effect.scoped)
  )

laws("SQLite", () => temporaryFilename, [
  { begins: 0, minutes: 7 },
  { begins: 14, minutes: 6 }
])

describePostgres("the history of processes over Postgres", (postgres) => {
  const newDatabase = Effect.fnUntraced(function* (start: number) {
    const { createDatabase } = yield* postgres
    const url = yield* createDatabase
    yield* Effect.provide(setFastClock(start), Layer.fresh(Postgres.layer({ url })))
    return Redacted.value(url)
  })
  // The second one takes the pipe while the first one moves it.
  laws("Postgres", newDatabase, [
    { begins: 0, minutes: 9 },
    { begins: 4, minutes: 7 },
    { begins: 18, minutes: 5 }
  ])
})
