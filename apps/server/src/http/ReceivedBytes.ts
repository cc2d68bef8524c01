import type { IncomingMessage } from "node:http"
import { maxBodyBytes } from "./Limits.ts"

/** The bytes of all request bodies that have arrived and are not whole yet. */
export interface ReceivedBytes {
  /** Called with each part of a body. Closes connections if there are too many bytes. */
  readonly arrived: (request: IncomingMessage, bytes: number) => void
}

// What each part of a body takes besides its bytes: a client may send it a byte at a time.
const partBytes = 64

// What is sent beyond the largest body is not kept. Only `/_admin`, for local callers, reads more.
const counted = (bytes: number, parts: number): number => Math.min(bytes, maxBodyBytes) + parts * partBytes

/** Bounds the bytes of bodies that arrive: above `maxBytes`, the connections whose bodies began first are closed. */
export const makeReceivedBytes = (maxBytes: number): ReceivedBytes => {
  // What has arrived of each body, in the order in which they began.
  const received = new Map<IncomingMessage, { bytes: number; parts: number }>()
  let total = 0

  const remove = (request: IncomingMessage) => {
    const body = received.get(request)
    if (body === undefined) return
    total -= counted(body.bytes, body.parts)
    received.delete(request)
  }

  const closeOldest = () => {
    for (const request of received.keys()) {
      if (total <= maxBytes) return
      remove(request)
      request.socket.destroy()
    }
  }

  return {
    arrived: (request, bytes) => {
      const body = received.get(request)
      if (body === undefined) {
        received.set(request, { bytes, parts: 1 })
        // It was read, or its connection is closed.
        request.once("close", () => remove(request))
        total += counted(bytes, 1)
      } else {
        total -= counted(body.bytes, body.parts)
        body.bytes += bytes
        body.parts++
        total += counted(body.bytes, body.parts)
      }
      if (total > maxBytes) closeOldest()
    }
  }
}
