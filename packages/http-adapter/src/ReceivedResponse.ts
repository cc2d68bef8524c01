import * as Context from "effect/Context"
import type * as MutableRef from "effect/MutableRef"

/** What a response says beside its body. */
export interface ResponseInfo {
  readonly status: number
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Where a call puts the status and the headers of the response that it succeeds with. Default: nowhere.
 *
 * @example
 * ```ts
 * import { Dashboards } from "@headgate/core"
 * import { ReceivedResponse, type ResponseInfo } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as MutableRef from "effect/MutableRef"
 *
 * // The dashboards, and how many requests are left in the time window.
 * export const listAndCount = Effect.gen(function* () {
 *   const received = MutableRef.make<ResponseInfo | undefined>(undefined)
 *   const dashboards = yield* Dashboards.use(({ list }) => list()).pipe(
 *     Effect.provideService(ReceivedResponse, received)
 *   )
 *   return { dashboards, remaining: MutableRef.get(received)?.headers["ratelimit-remaining"] }
 * })
 * ```
 */
export const ReceivedResponse = Context.Reference<MutableRef.MutableRef<ResponseInfo | undefined> | undefined>(
  "@headgate/http-adapter/ReceivedResponse",
  { defaultValue: () => undefined }
)
