import { assert, describe, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Leases, MoverSession } from "../port/Leases.ts"
import { lawPipeId, otherPipeId } from "./lawPipes.ts"

/** Leases over a store with the two pipes of the laws. */
export interface LeasesUnderTest {
  readonly leases: Leases["Service"]
  /** Sets the clock of a store that has one of its own ahead, by so much more than before. */
  readonly addTime?: (time: Duration.Duration) => Effect.Effect<void, unknown>
}

const pipes = [lawPipeId, otherPipeId]

const leaseTime = Duration.minutes(1)

/** A clock that is set ahead instead of waiting. */
const shiftedClock = (real: Clock.Clock, shift: { millis: number }): Clock.Clock => {
  const now = () => real.currentTimeMillisUnsafe() + shift.millis
  return Object.assign(Object.create(real), { currentTimeMillisUnsafe: now, currentTimeMillis: Effect.sync(now) })
}

/**
 * The laws of `Leases`: a pipe has one mover, and goes to another one when that is gone.
 *
 * @example
 * ```ts
 * import { leaseLaws, type LeasesUnderTest } from "@headgate/mover/laws"
 * import type * as Duration from "effect/Duration"
 * import type * as Effect from "effect/Effect"
 *
 * // In a test file of Vitest.
 * export const suite = (make: (leaseTime: Duration.Duration) => Effect.Effect<LeasesUnderTest>) =>
 *   leaseLaws({ name: "mine", make })
 * ```
 */
export const leaseLaws = ({
  make,
  name
}: {
  readonly name: string
  /** A lease lasts as long as `leaseTime`. It is called for each law. */
  readonly make: (leaseTime: Duration.Duration) => Effect.Effect<LeasesUnderTest, unknown, Scope.Scope>
}): void => {
  const law = (
    title: string,
    body: (
      leases: Leases["Service"],
      pass: (time: Duration.Input) => Effect.Effect<void, unknown>
    ) => Effect.Effect<void, unknown>
  ) =>
    it.live(title, () =>
      Effect.gen(function* () {
        const shift = { millis: 0 }
        const inLaw = Effect.gen(function* () {
          const { addTime = () => Effect.void, leases } = yield* make(leaseTime)
          yield* body(leases, (input) => {
            const time = Duration.fromInputUnsafe(input)
            shift.millis += Duration.toMillis(time)
            return addTime(time)
          })
        })
        yield* Effect.provideService(Effect.scoped(inLaw), Clock.Clock, shiftedClock(yield* Clock.Clock, shift))
      })
    )
  const shareOf = (
    leases: Leases["Service"],
    session: MoverSession,
    weights?: ReadonlyMap<PipeId, number>,
    wanted: ReadonlyArray<PipeId> = pipes
  ) => Effect.map(leases.share(session, new Set(wanted), weights), (mine) => Array.from(mine).toSorted())
  /** What a mover does: its first session has its name, and it draws another one when that has expired. */
  const share = (leases: Leases["Service"], mover: string, wanted: ReadonlyArray<PipeId> = pipes, serves = "*") =>
    shareOf(leases, { id: mover, serves }, undefined, wanted).pipe(
      Effect.catchTag("SessionExpired", () => shareOf(leases, { id: `${mover} again`, serves }, undefined, wanted))
    )

  describe(`${name}: laws of Leases`, () => {
    law("a mover alone has all pipes, and keeps them", (leases) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
        assert.deepStrictEqual(yield* share(leases, "a", [lawPipeId]), [lawPipeId])
      })
    )

    law("two movers come to an equal share, and no pipe is with both", (leases) =>
      Effect.gen(function* () {
        yield* share(leases, "a")
        assert.deepStrictEqual(yield* share(leases, "b"), [])
        const a = yield* share(leases, "a")
        const b = yield* share(leases, "b")
        assert.deepStrictEqual([a.length, b.length], [1, 1])
        assert.deepStrictEqual([...a, ...b].toSorted(), pipes)
        assert.deepStrictEqual(yield* share(leases, "a"), a)
      })
    )

    law("a mover that can move none of the pipes takes no share of them", (leases) =>
      Effect.gen(function* () {
        yield* share(leases, "b", [], "another warehouse")
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
        yield* share(leases, "b", [], "another warehouse")
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
      })
    )

    law("movers that ask at the same time have no pipe in common", (leases) =>
      Effect.gen(function* () {
        for (let round = 0; round < 5; round += 1) {
          const shares = yield* Effect.forEach(["a", "b", "c"], (mover) => share(leases, mover), { concurrency: 3 })
          const all = shares.flat()
          assert.strictEqual(new Set(all).size, all.length)
          yield* Effect.forEach(["a", "b", "c"], leases.release)
        }
      })
    )

    law("what a mover releases is another one's at once", (leases) =>
      Effect.gen(function* () {
        yield* share(leases, "a")
        yield* leases.release("a")
        assert.deepStrictEqual(yield* share(leases, "b"), pipes)
      })
    )

    law("the pipes of a mover that asks no more are free after the time of a lease, and not before", (leases, pass) =>
      Effect.gen(function* () {
        yield* share(leases, "a")
        yield* pass("58 seconds")
        assert.deepStrictEqual(yield* share(leases, "b"), [])
        yield* pass("3 seconds")
        assert.deepStrictEqual(yield* share(leases, "b"), pipes)
        // It was frozen, and wakes.
        assert.deepStrictEqual(yield* share(leases, "a"), [])
      })
    )

    law("what a mover says of a pipe is read by others, and stays when its lease has ended", (leases) =>
      Effect.gen(function* () {
        const saved = Effect.map(leases.savedMetrics([lawPipeId]), (all) => all.get(lawPipeId))
        yield* share(leases, "a")
        assert.isUndefined(yield* saved)
        yield* leases.saveMetrics("a", new Map(pipes.map((pipeId) => [pipeId, `a moves ${pipeId}`])))
        assert.deepStrictEqual(yield* saved, { metrics: `a moves ${lawPipeId}`, isHeld: true })
        yield* share(leases, "a", [otherPipeId])
        assert.deepStrictEqual(yield* saved, { metrics: `a moves ${lawPipeId}`, isHeld: false })
        yield* leases.saveMetrics("a", new Map([[lawPipeId, "a has ended"]]))
        yield* leases.release("a")
        yield* share(leases, "b")
        assert.deepStrictEqual(yield* saved, { metrics: "a has ended", isHeld: true })
        yield* leases.saveMetrics("a", new Map([[lawPipeId, "a wakes"]]))
        assert.deepStrictEqual(yield* saved, { metrics: "a has ended", isHeld: true })
      })
    )

    law("metrics need no lease, and none are kept of a pipe that is gone", (leases) =>
      Effect.gen(function* () {
        const gone = PipeId.make("b1be0000-0000-4000-8000-0000000000ff")
        yield* leases.saveMetrics("a", new Map([gone, lawPipeId].map((pipeId) => [pipeId, "said"])))
        assert.deepStrictEqual(
          yield* leases.savedMetrics([gone, otherPipeId, lawPipeId]),
          new Map([[lawPipeId, { metrics: "said", isHeld: false }]])
        )
        assert.deepStrictEqual(yield* leases.savedMetrics([]), new Map())
        assert.deepStrictEqual(yield* share(leases, "b"), pipes)
      })
    )

    law("a pipe stays with a session that is renewed, however long ago it was taken", (leases, pass) =>
      Effect.gen(function* () {
        yield* share(leases, "a")
        yield* share(leases, "b")
        const [a, b] = [yield* share(leases, "a"), yield* share(leases, "b")]
        assert.deepStrictEqual([a.length, b.length], [1, 1])
        for (let step = 0; step < 4; step += 1) {
          yield* pass("27 seconds")
          assert.deepStrictEqual(yield* share(leases, "b"), b)
          assert.deepStrictEqual(yield* share(leases, "a"), a)
        }
      })
    )

    law("a session that was not renewed in time is told so, and what is kept of its pipes stays", (leases, pass) =>
      Effect.gen(function* () {
        yield* share(leases, "a")
        yield* leases.saveMetrics("a", new Map([[lawPipeId, "said by a"]]))
        yield* pass("61 seconds")
        const session = { id: "a", serves: "*" }
        assert.strictEqual((yield* Effect.flip(shareOf(leases, session)))._tag, "SessionExpired")
        assert.deepStrictEqual(yield* share(leases, "a again"), pipes)
        assert.deepStrictEqual(
          yield* leases.savedMetrics(pipes),
          new Map([[lawPipeId, { metrics: "said by a", isHeld: true }]])
        )
      })
    )

    law("pipes are divided by their load, and a heavy one stays where it is", (leases) =>
      Effect.gen(function* () {
        const weights = new Map([
          [lawPipeId, 50],
          [otherPipeId, 1]
        ])
        const of = (id: string) => shareOf(leases, { id, serves: "*" }, weights)
        assert.deepStrictEqual(yield* of("a"), pipes)
        assert.deepStrictEqual(yield* of("b"), [])
        for (let round = 0; round < 5; round += 1) {
          assert.deepStrictEqual(yield* of("a"), [lawPipeId])
          assert.deepStrictEqual(yield* of("b"), [otherPipeId])
        }
        // A third one has nothing to take.
        assert.deepStrictEqual(yield* of("c"), [])
        assert.deepStrictEqual([yield* of("a"), yield* of("b")], [[lawPipeId], [otherPipeId]])
      })
    )

    law("a mover that rests leaves its pipes to the others, and keeps them if there are none", (leases) =>
      Effect.gen(function* () {
        const resting = shareOf(leases, { id: "a", serves: "*", isResting: true })
        yield* share(leases, "a")
        assert.deepStrictEqual(yield* resting, pipes)
        yield* share(leases, "b", [], "another warehouse")
        assert.deepStrictEqual(yield* resting, pipes)
        assert.deepStrictEqual(yield* share(leases, "b2"), [])
        assert.deepStrictEqual(yield* resting, [])
        assert.deepStrictEqual(yield* share(leases, "b2"), pipes)
        assert.deepStrictEqual(yield* resting, [])
        assert.deepStrictEqual(yield* share(leases, "b2"), pipes)
        // It is well again.
        yield* share(leases, "a")
        const b = yield* share(leases, "b2")
        const a = yield* share(leases, "a")
        assert.deepStrictEqual([...a, ...b].toSorted(), pipes)
        assert.deepStrictEqual([a.length, b.length], [1, 1])
      })
    )

    law("what a mover says late changes nothing once another one has had the pipe", (leases) =>
      Effect.gen(function* () {
        const saved = Effect.map(leases.savedMetrics([lawPipeId]), (all) => all.get(lawPipeId)?.metrics)
        yield* share(leases, "a")
        yield* leases.saveMetrics("a", new Map([[lawPipeId, "100 rows"]]))
        yield* leases.release("a")
        yield* share(leases, "b")
        yield* leases.saveMetrics("b", new Map([[lawPipeId, "200 rows"]]))
        yield* leases.release("b")
        // Nobody has the pipe now.
        yield* leases.saveMetrics("a", new Map([[lawPipeId, "150 rows"]]))
        assert.strictEqual(yield* saved, "200 rows")
        yield* leases.saveMetrics("b", new Map([[lawPipeId, "210 rows"]]))
        assert.strictEqual(yield* saved, "210 rows")
      })
    )

    law("the pipes that have a mover are counted", (leases, pass) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* leases.held, 0)
        yield* share(leases, "a")
        assert.strictEqual(yield* leases.held, 2)
        yield* share(leases, "b")
        yield* share(leases, "a")
        assert.strictEqual(yield* leases.held, 1)
        yield* share(leases, "b")
        assert.strictEqual(yield* leases.held, 2)
        yield* leases.release("a")
        assert.strictEqual(yield* leases.held, 1)
        yield* pass("61 seconds")
        assert.strictEqual(yield* leases.held, 0)
      })
    )
  })
}
