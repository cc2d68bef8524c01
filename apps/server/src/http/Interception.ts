import * as Context from "effect/Context"
import type { HttpEffect } from "./RequestLog.ts"

/** What may stand around the routes beside what always does. */
export interface Interception {
  /** Around the operations, within the edge: what it answers gets the edge's headers and is told to those who watch. */
  readonly operations: (httpEffect: HttpEffect) => HttpEffect
  /** Around all of it: it sees the connection's own address, and every answer as it is about to be sent. */
  readonly exchanges: (httpEffect: HttpEffect) => HttpEffect
}

const unchanged = (httpEffect: HttpEffect): HttpEffect => httpEffect

/** Nothing stands there, unless the server runs for a test suite. */
export const Interception = Context.Reference<Interception>("headgate-server/http/Interception", {
  defaultValue: () => ({ operations: unchanged, exchanges: unchanged })
})
