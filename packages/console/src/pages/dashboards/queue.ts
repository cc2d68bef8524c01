/** Runs tasks, so many at once, in the order in which they came. */
export interface Queue {
  /** Rejects with what the signal was aborted with, without running the task, if that comes before its turn. */
  readonly run: <A>(task: () => Promise<A>, signal: AbortSignal) => Promise<A>
}

/** Makes a queue that runs at most `most` tasks at once. */
export const makeQueue = (most: number): Queue => {
  const waiting = new Set<() => void>()
  let running = 0

  const next = () => {
    const [first] = waiting
    if (first === undefined || running >= most) return
    waiting.delete(first)
    running += 1
    first()
  }

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const onAbort = () => {
        waiting.delete(start)
        reject(signal.reason)
      }
      const start = () => {
        signal.removeEventListener("abort", onAbort)
        resolve()
      }
      signal.addEventListener("abort", onAbort, { once: true })
      waiting.add(start)
      next()
    })

  return {
    run: async (task, signal) => {
      await turn(signal)
      try {
        return await task()
      } finally {
        running -= 1
        next()
      }
    }
  }
}
