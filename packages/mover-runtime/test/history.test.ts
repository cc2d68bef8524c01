import { assert, it } from "@effect/vitest"
import type { PipeHistory } from "@headgate/core"
import { LedgerError } from "@headgate/mover"
import { MemoryLeases } from "@headgate/mover/memory"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { makeShared, seconds, startProcess, withStore } from "./support/processes.ts"

/** The minutes of a history, counted from 1970, where the clock of a test begins. */
const minutesOf = ({ points }: PipeHistory) => points.map(({ at }) => DateTime.toEpochMillis(at) / 60_000)

const rowsOf = ({ points }: PipeHistory) => points.reduce((sum, { rows }) => sum + rows, 0)

it.effect("a pipe has a point for each minute in which it moves, and none while it is stopped", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared()
    const { create, history, resumeFromStart, setState } = yield* startProcess(context)
    yield* source.append("0", "one", "two")
    const pipe = yield* create
    yield* seconds(200)
    yield* source.append("0", "three", "four", "five")
    yield* seconds(80)
    yield* setState(pipe, "stop")
    yield* seconds(300)
    const stopped = yield* history(pipe)
    assert.strictEqual(stopped.stepSeconds, 60)
    assert.deepStrictEqual(minutesOf(stopped), [0, 1, 2, 3, 4])
    assert.deepStrictEqual(
      stopped.points.map(({ rows }) => rows),
      [2, 0, 0, 3, 0]
    )
    // The source of the test tells no lag.
    assert.isTrue(stopped.points.every(({ lag, state }) => state === "Running" && lag === null))

    yield* source.append("0", "six")
    yield* setState(pipe, "start")
    yield* seconds(130)
    const started = yield* history(pipe)
    assert.deepStrictEqual(minutesOf(started), [0, 1, 2, 3, 4, 9, 10, 11])
    assert.strictEqual(rowsOf(started), 6)

    // As many rows again.
    yield* setState(pipe, "stop")
    yield* seconds(5)
    yield* resumeFromStart(pipe)
    yield* seconds(130)
    assert.strictEqual(rowsOf(yield* history(pipe)), 12)
  }).pipe(Effect.scoped, withStore)
)

it.effect("a pipe that another process takes has one history", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared(MemoryLeases.make())
    const one = yield* Scope.make()
    const { create } = yield* Scope.provide(startProcess(context), one)
    yield* source.append("0", "one", "two")
    const pipe = yield* create
    yield* seconds(100)
    yield* Scope.close(one, Exit.void)
    // Nobody has it for some minutes.
    yield* seconds(200)
    const { history } = yield* startProcess(context)
    yield* source.append("0", "three")
    yield* seconds(100)
    const found = yield* history(pipe)
    assert.deepStrictEqual(minutesOf(found), [0, 1, 5, 6])
    assert.strictEqual(rowsOf(found), 3)
  }).pipe(Effect.scoped, withStore)
)

it.effect("a server whose history is off writes none, and removes what was kept", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared()
    const one = yield* Scope.make()
    const { create, history } = yield* Scope.provide(startProcess(context), one)
    yield* source.append("0", "one")
    const pipe = yield* create
    yield* seconds(100)
    assert.strictEqual(rowsOf(yield* history(pipe)), 1)
    yield* Scope.close(one, Exit.void)
    const off = yield* startProcess({ ...context, historyDays: 0 })
    yield* source.append("0", "two")
    yield* seconds(100)
    assert.deepStrictEqual((yield* off.history(pipe)).points, [])
  }).pipe(Effect.scoped, withStore)
)

it.effect("a pipe that was stopped while the store did not answer has no points after that", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared()
    const { history: kept, ...store } = context.store
    assert(kept !== undefined)
    let outages = 0
    const note: typeof kept.note = (mover, notes, minute) => {
      if (mover !== 0 || outages > 0) return kept.note(mover, notes, minute)
      outages += 1
      return Effect.fail(new LedgerError({ message: "the database does not answer" }))
    }
    const { create, history, setState } = yield* startProcess({
      ...context,
      store: { ...store, history: { ...kept, note } }
    })
    yield* source.append("0", "one")
    const pipe = yield* create
    yield* seconds(100)
    yield* setState(pipe, "stop")
    yield* seconds(300)
    assert.strictEqual(outages, 1)
    assert.deepStrictEqual(minutesOf(yield* history(pipe)), [0, 1])
  }).pipe(Effect.scoped, withStore)
)

it.effect("a pipe that is stopped after its server was frozen has no points of the time between", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared()
    const { history: kept, ...store } = context.store
    assert(kept !== undefined)
    const real = yield* Clock.Clock
    let frozen = 0
    const now = () => real.currentTimeMillisUnsafe() + frozen
    const clock: Clock.Clock = Object.assign(Object.create(real), {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    })
    const late = Effect.provideService(Clock.Clock, clock)
    const { create, history, setState } = yield* startProcess({
      ...context,
      store: {
        ...store,
        history: {
          ...kept,
          beat: (last) => late(kept.beat(last)),
          note: (mover, notes, minute) => late(kept.note(mover, notes, minute))
        }
      }
    })
    yield* source.append("0", "one")
    const pipe = yield* create
    yield* seconds(100)
    // An hour passes for the store, and no moment for the process, which then stops the pipe at once.
    frozen = 60 * 60_000
    yield* setState(pipe, "stop")
    yield* seconds(5)
    assert.deepStrictEqual(minutesOf(yield* late(history(pipe))), [0, 1])
  }).pipe(Effect.scoped, withStore)
)
