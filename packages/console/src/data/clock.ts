import { signal } from "@preact/signals"

// The clock of the browser may be wrong by hours: what counts is the server's, which the header `Date` of each answer tells.
let ahead = 0

/** Notes the time that an answer came with: `Date` has whole seconds, so only a larger difference counts. */
export const noteDate = (date: string | null): void => {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told)) return
  const difference = told - Date.now()
  if (Math.abs(difference - ahead) > 2000) ahead = difference
}

/** The server's time, in milliseconds since 1970. */
export const now = (): number => Date.now() + ahead

let timer: ReturnType<typeof setInterval> | undefined

const renew = () => {
  if (!document.hidden) second.value = now()
}

/** The server's time, renewed each second while the page is seen: ages are written with it. */
export const second = signal(now(), {
  watched() {
    timer = setInterval(renew, 1000)
    // Nobody renewed it while nobody read it.
    queueMicrotask(renew)
  },
  unwatched() {
    clearInterval(timer)
  }
})
