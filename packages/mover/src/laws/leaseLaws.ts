import { assert, describe, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Leases } from "../port/Leases.ts"
import { lawPipeId, otherPipeId } from "./lawPipes.ts"

const pipes = [lawPipeId, otherPipeId]

/**
 * The laws of `Leases`: a pipe has one mover, and goes to another one when that is gone.
 *
 * @example
 * ```ts
 * import type { Leases } from "@headgate/mover"
 * import { leaseLaws } from "@headgate/mover/laws"
 * import type * as Duration from "effect/Duration"
 * import type * as Effect from "effect/Effect"
 *
 * // In a test file of Vitest.
 * export const suite = (make: (leaseTime: Duration.Duration) => Effect.Effect<Leases["Service"]>) =>
 *   leaseLaws({ name: "mine", make })
 * ```
 */
export const leaseLaws = ({
  make,
  name
}: {
  readonly name: string
  /** Leases over a store with the two pipes of the laws. A lease lasts as long as `leaseTime`. It is called for each law. */
  readonly make: (leaseTime: Duration.Duration) => Effect.Effect<Leases["Service"], unknown, Scope.Scope>
}): void => {
  const law = (
    title: string,
    leaseTime: Duration.Input,
    body: (leases: Leases["Service"]) => Effect.Effect<void, unknown>
  ) => it.live(title, () => Effect.scoped(Effect.flatMap(make(Duration.fromInputUnsafe(leaseTime)), body)))
  const share = (leases: Leases["Service"], mover: string, wanted: ReadonlyArray<PipeId> = pipes, serves = "*") =>
    Effect.map(leases.share({ name: mover, serves }, wanted), (mine) => Array.from(mine).toSorted())

  describe(`${name}: laws of Leases`, () => {
    law("a mover alone has all pipes, and keeps them", "1 minute", (leases) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
        assert.deepStrictEqual(yield* share(leases, "a", [lawPipeId]), [lawPipeId])
      })
    )

    law("two movers come to an equal share, and no pipe is with both", "1 minute", (leases) =>
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

    law("a mover that can move none of the pipes takes no share of them", "1 minute", (leases) =>
      Effect.gen(function* () {
        yield* share(leases, "b", [], "another warehouse")
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
        yield* share(leases, "b", [], "another warehouse")
        assert.deepStrictEqual(yield* share(leases, "a"), pipes)
      })
    )

    law("movers that ask at the same time have no pipe in common", "1 minute", (leases) =>
      Effect.gen(function* () {
        for (let round = 0; round < 5; round += 1) {
          const shares = yield* Effect.forEach(["a", "b", "c"], (mover) => share(leases, mover), { concurrency: 3 })
          const all = shares.flat()
          assert.strictEqual(new Set(all).size, all.length)
          yield* Effect.forEach(["a", "b", "c"], leases.release)
        }
      })
    )

    law("what a mover releases is another one's at once", "1 minute", (leases) =>
      Effect.gen(function* () {
        yield* share(leases, "a")
        yield* leases.release("a")
        assert.deepStrictEqual(yield* share(leases, "b"), pipes)
      })
    )

    law(
      "the pipes of a mover that asks no more are free after the time of a lease, and not before",
      "2 seconds",
      (leases) =>
        Effect.gen(function* () {
          yield* share(leases, "a")
          assert.deepStrictEqual(yield* share(leases, "b"), [])
          yield* Effect.sleep("2300 millis")
          assert.deepStrictEqual(yield* share(leases, "b"), pipes)
          // It was frozen, and wakes.
          assert.deepStrictEqual(yield* share(leases, "a"), [])
        })
    )

    law("what a mover says of a pipe is read by others, and stays when its lease has ended", "1 minute", (leases) =>
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

    law("metrics need no lease, and none are kept of a pipe that is gone", "1 minute", (leases) =>
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
  })
}
