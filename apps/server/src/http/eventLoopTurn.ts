import * as Effect from "effect/Effect"

// Node accepts one connection in a turn of the event loop: with work in every turn, new clients would wait long.
const turnsBetween = 8

const waiting: Array<() => void> = []
let isIdle = true

const runFirst = () => {
  const first = waiting.shift()
  isIdle = first === undefined
  if (first === undefined) return
  setImmediate(countDown, turnsBetween)
  first()
}

const countDown = (turns: number) => {
  if (turns > 1) setImmediate(countDown, turns - 1)
  else runFirst()
}

/**
 * Waits for a turn of the event loop in which no other effect that waits here goes on. Work that takes milliseconds begins
 * with it: any number of such requests at once then lets others through between them.
 */
export const eventLoopTurn: Effect.Effect<void> = Effect.callback((resume) => {
  const begin = () => resume(Effect.void)
  waiting.push(begin)
  if (isIdle) {
    isIdle = false
    setImmediate(runFirst)
  }
  return Effect.sync(() => {
    const at = waiting.indexOf(begin)
    if (at !== -1) waiting.splice(at, 1)
  })
})
