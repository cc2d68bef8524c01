import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { collectCalls } from "./GroupCommit.ts"

/** A call that waits for its group, or for the answer of it. */
interface Call<Item, Answer, E> {
  readonly key: string
  readonly item: Item
  readonly answer: Deferred.Deferred<Answer | undefined, E>
}

/** The most calls of one group. */
const maxCalls = 500
/** How long a call waits at most for others, in milliseconds, while no group is on its way. */
const maxDelay = 5

/**
 * Runs calls that arrive together, or while others are on their way, by one call of `run`, which answers by their keys. A group holds one
 * call of a key; the next one follows in a later group. A lone call waits for one turn of the event loop.
 *
 * A call that is interrupted before its group begins is not made. After that, the interruption waits for the answer: what is
 * written afterwards finds everything written or not, and nothing on its way.
 */
export const groupCalls = <Item, Answer, E>(
  run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyMap<string, Answer>, E>
) => {
  let waiting: Array<Call<Item, Answer, E>> = []
  let isRunning = false

  const takeGroup = (): ReadonlyArray<Call<Item, Answer, E>> => {
    const group = new Map<string, Call<Item, Answer, E>>()
    for (const call of waiting) if (group.size < maxCalls && !group.has(call.key)) group.set(call.key, call)
    waiting = waiting.filter((call) => group.get(call.key) !== call)
    return Array.from(group.values())
  }

  const runGroup = Effect.gen(function* () {
    yield* collectCalls(() => waiting.length, { maxDelay, maxCalls })
    const group = takeGroup()
    if (group.length === 0) return
    const exit = yield* Effect.exit(run(group.map(({ item }) => item)))
    for (const { answer, key } of group) {
      yield* Deferred.done(
        answer,
        Exit.map(exit, (answers) => answers.get(key))
      )
    }
  })

  const runAll = Effect.gen(function* () {
    while (waiting.length > 0) yield* runGroup
    isRunning = false
  })

  const add = (call: Call<Item, Answer, E>): void => {
    waiting.push(call)
    if (isRunning) return
    isRunning = true
    Effect.runFork(runAll)
  }

  const leave = (call: Call<Item, Answer, E>) =>
    Effect.suspend(() => {
      if (!waiting.includes(call)) return Effect.exit(Deferred.await(call.answer))
      waiting = waiting.filter((one) => one !== call)
      return Effect.void
    })

  /** Answers `undefined` if `run` has no answer for the key. */
  return (key: string, item: Item): Effect.Effect<Answer | undefined, E> =>
    Effect.uninterruptibleMask((restore) => {
      const call: Call<Item, Answer, E> = { key, item, answer: Deferred.makeUnsafe() }
      add(call)
      return Effect.onInterrupt(restore(Deferred.await(call.answer)), () => leave(call))
    })
}
