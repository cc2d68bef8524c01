import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { groupCalls } from "../src/internal/groupCalls.ts"

const unbounded = { concurrency: "unbounded" } as const

const nextTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Calls that add to what each group held; the answer of an item is the item twice. Each group waits for `gate`. */
const open = (gate: Effect.Effect<void> = Effect.void) => {
  const groups: Array<ReadonlyArray<string>> = []
  const call = groupCalls((items: ReadonlyArray<string>) => {
    groups.push(items)
    return Effect.as(gate, new Map(items.map((item) => [item, item + item])))
  })
  return { groups, call: (item: string, key = item) => call(key, item) }
}

describe("calls that are grouped", () => {
  it.live("run together if they arrive together, each with its answer", () =>
    Effect.gen(function* () {
      const { call, groups } = open()
      const answers = yield* Effect.forEach(["a", "b", "c"], (item) => call(item), unbounded)
      assert.deepStrictEqual(answers, ["aa", "bb", "cc"])
      assert.deepStrictEqual(groups, [["a", "b", "c"]])
    })
  )

  it.live("run together if they arrive while a group is on its way, and two of one key never do", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { call, groups } = open(Deferred.await(gate))
      const first = yield* Effect.forkChild(call("a"))
      while (groups.length === 0) yield* nextTurn
      const more = yield* Effect.forEach([call("b"), call("c", "b"), call("d", "a")], (one) => Effect.forkChild(one))
      yield* nextTurn
      assert.lengthOf(groups, 1)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      // `c` and `d` are answered under another key than their own.
      assert.deepStrictEqual(yield* Effect.forEach(more, Fiber.join), ["bb", undefined, undefined])
      assert.deepStrictEqual(groups, [["a"], ["b", "d"], ["c"]])
    })
  )

  it.live("fail together, and those that follow do not", () =>
    Effect.gen(function* () {
      let calls = 0
      const call = groupCalls((items: ReadonlyArray<string>) => {
        calls += 1
        if (calls === 1) return Effect.fail("down")
        return calls === 2 ? Effect.die("a defect") : Effect.succeed(new Map(items.map((item) => [item, item])))
      })
      const both = Effect.forEach(["a", "b"], (item) => Effect.exit(call(item, item)), unbounded)
      assert.deepStrictEqual(yield* both, [Exit.fail("down"), Exit.fail("down")])
      assert.deepStrictEqual(yield* both, [Exit.die("a defect"), Exit.die("a defect")])
      assert.deepStrictEqual(yield* both, [Exit.succeed("a"), Exit.succeed("b")])
    })
  )

  it.live("are not made if they are interrupted before, and the interruption waits for the answer after that", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { call, groups } = open(Deferred.await(gate))
      const first = yield* Effect.forkChild(call("a"))
      while (groups.length === 0) yield* nextTurn
      const second = yield* Effect.forkChild(call("b"))
      yield* nextTurn
      yield* Fiber.interrupt(second)
      let isOver = false
      const interruption = yield* Effect.forkChild(
        Effect.tap(Fiber.interrupt(first), () => Effect.sync(() => void (isOver = true)))
      )
      for (const _ of [1, 2, 3]) yield* nextTurn
      assert.isFalse(isOver)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(interruption)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(first)))
      assert.strictEqual(yield* call("c"), "cc")
      assert.deepStrictEqual(groups, [["a"], ["c"]])
    })
  )
})
