import { signal } from "@preact/signals"

/** The least time between two messages, in milliseconds: a screen reader reads each to its end. */
const pause = 10_000

/** What a screen reader says next: a live region around every page shows it. */
export const announced = signal("")

let next: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const say = (): void => {
  timer = undefined
  if (next === undefined) return
  announced.value = next
  next = undefined
  timer = setTimeout(say, pause)
}

/** Says something to those who do not see the page: at once, or ten seconds after the message before. The last one counts. */
export const announce = (message: string): void => {
  next = message
  if (timer === undefined) say()
}
