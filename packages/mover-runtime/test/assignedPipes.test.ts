import { assert, it } from "@effect/vitest"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { type CallError, PipeId, ServerError } from "@headgate/core"
import { MovedPipes, type PipeAssignment, type PipeAssignments } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeAssignedPipes } from "../src/loop/AssignedPipes.ts"

const idOf = (digit: number) => PipeId.make(`b1be0000-0000-4000-8000-00000000000${digit}`)

const pipe = (digit: number, state = "Running"): PipeAssignment => ({
  address: {
    organizationId: fixtureIds.organizations.acme,
    serviceId: fixtureIds.services.ingest,
    pipeId: idOf(digit)
  },
  warehouse: "*",
  state,
  version: 1
})

/** A poll of a store that gives these answers, one after the other, and with what it was asked. */
const following = Effect.fnUntraced(function* (...answers: ReadonlyArray<Partial<PipeAssignments> | "outage">) {
  const asked: Array<string | undefined> = []
  const changes = (after?: string): Effect.Effect<PipeAssignments, CallError> =>
    Effect.suspend(() => {
      const answer = answers[asked.push(after) - 1]
      if (answer === "outage") return Effect.fail(new ServerError({ message: "no answer" }))
      return Effect.succeed({ isWhole: false, pipes: [], deleted: [], cursor: String(asked.length), ...answer })
    })
  const moved = yield* Effect.provide(MovedPipes, Layer.mock(MovedPipes, { changes }))
  const { poll } = makeAssignedPipes(moved)
  const states = Effect.map(poll, (found) =>
    found.map(({ address, state }) => [address.pipeId.at(-1), state].join(" "))
  )
  return { asked, states }
})

it.effect("the whole list is asked for at first, and then what has changed", () =>
  Effect.gen(function* () {
    const { asked, states } = yield* following(
      { isWhole: true, pipes: [pipe(1), pipe(2), pipe(3)] },
      {},
      { pipes: [pipe(1, "Stopping"), pipe(4, "Provisioning")], deleted: [idOf(2), idOf(9)] },
      { pipes: [pipe(1, "Stopped"), pipe(3, "Paused"), pipe(5, "Failed")] },
      { pipes: [pipe(1, "Provisioning")] }
    )
    assert.deepStrictEqual(yield* states, ["1 Running", "2 Running", "3 Running"])
    assert.deepStrictEqual(yield* states, ["1 Running", "2 Running", "3 Running"])
    assert.deepStrictEqual(yield* states, ["1 Stopping", "3 Running", "4 Provisioning"])
    assert.deepStrictEqual(yield* states, ["4 Provisioning"])
    assert.deepStrictEqual(yield* states, ["4 Provisioning", "1 Provisioning"])
    assert.deepStrictEqual(asked, [undefined, "1", "2", "3", "4"])
  })
)

it.effect("a pipe that was deleted and made again moves", () =>
  Effect.gen(function* () {
    const { states } = yield* following(
      { isWhole: true, pipes: [pipe(1)] },
      { pipes: [pipe(1, "Provisioning")], deleted: [idOf(1)] }
    )
    yield* states
    assert.deepStrictEqual(yield* states, ["1 Provisioning"])
  })
)

it.effect("every 30 seconds, and whenever the store says so, a whole list replaces what was known", () =>
  Effect.gen(function* () {
    const { asked, states } = yield* following(
      { isWhole: true, pipes: [pipe(1), pipe(2)] },
      {},
      { isWhole: true, pipes: [pipe(2, "Degraded")] },
      { isWhole: true, pipes: [pipe(3)] },
      {},
      { isWhole: true, pipes: [] }
    )
    yield* states
    yield* TestClock.adjust("29 seconds")
    yield* states
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* states, ["2 Degraded"])
    yield* TestClock.adjust("20 seconds")
    // More changed than the store tells one by one: the next whole list is due 30 seconds after this one.
    assert.deepStrictEqual(yield* states, ["3 Running"])
    yield* TestClock.adjust("20 seconds")
    assert.deepStrictEqual(yield* states, ["3 Running"])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* states, [])
    assert.deepStrictEqual(asked, [undefined, "1", undefined, "3", "4", undefined])
  })
)

it.effect("after an error the whole list is asked for: a pipe that was deleted meanwhile may be forgotten", () =>
  Effect.gen(function* () {
    const { asked, states } = yield* following(
      "outage",
      { isWhole: true, pipes: [pipe(1), pipe(2)] },
      "outage",
      { isWhole: true, pipes: [pipe(2)] },
      {}
    )
    assert.strictEqual((yield* Effect.flip(states))._tag, "ServerError")
    yield* states
    yield* Effect.flip(states)
    assert.deepStrictEqual(yield* states, ["2 Running"])
    yield* states
    assert.deepStrictEqual(asked, [undefined, undefined, "2", undefined, "4"])
  })
)
