import type { ServerResponse } from "node:http"

/** The bytes of all responses that their clients have not read yet. */
export interface UnsentBytes {
  /** Called after each write to a response. Closes the connections that have waited longest if there are too many bytes. */
  readonly written: (response: ServerResponse) => void
}

/**
 * Bounds the unsent bytes of a process: above `maxBytes`, the connections whose last write is the longest ago are closed. A
 * client that reads is not among them: its response is sent before others have filled the budget.
 */
export const makeUnsentBytes = (maxBytes: number): UnsentBytes => {
  // What each response held after its last write, in the order of these writes.
  const unsent = new Map<ServerResponse, number>()
  let total = 0

  const set = (response: ServerResponse, bytes: number) => {
    total += bytes - (unsent.get(response) ?? 0)
    unsent.set(response, bytes)
  }
  const remove = (response: ServerResponse) => {
    total -= unsent.get(response) ?? 0
    unsent.delete(response)
  }

  const closeOldest = () => {
    for (const response of unsent.keys()) set(response, response.writableLength)
    for (const response of unsent.keys()) {
      if (total <= maxBytes) return
      remove(response)
      response.socket?.destroy()
    }
  }

  return {
    written: (response) => {
      const bytes = response.writableLength
      const isKnown = unsent.has(response)
      if (!isKnown) {
        if (bytes === 0) return
        response.once("close", () => remove(response))
      }
      remove(response)
      set(response, bytes)
      if (total > maxBytes) closeOldest()
    }
  }
}
