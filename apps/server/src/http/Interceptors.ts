import * as Context from "effect/Context"
import type { HttpEffect } from "./RequestLog.ts"

/** What `--admin` puts around requests. */
export interface Interceptors {
  /** Around every route, inside the error boundary: its answers get the boundary's headers and are observed. */
  readonly operations: (httpEffect: HttpEffect) => HttpEffect
  /** Around everything: it sees the connection's own address, and every answer just before it is sent. */
  readonly requests: (httpEffect: HttpEffect) => HttpEffect
}

const unchanged = (httpEffect: HttpEffect): HttpEffect => httpEffect

/** The interceptors of this server: none without `--admin`. */
export const Interceptors = Context.Reference<Interceptors>("headgate-server/http/Interceptors", {
  defaultValue: () => ({ operations: unchanged, requests: unchanged })
})
