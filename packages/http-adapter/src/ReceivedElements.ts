import * as Context from "effect/Context"
import type * as MutableRef from "effect/MutableRef"

/**
 * Where a call that returns a list puts the elements of its answer as JSON, before they are decoded: those that cannot be
 * read, too. Default: nowhere.
 *
 * @example
 * ```ts
 * import { Dashboards } from "@headgate/core"
 * import { ReceivedElements } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 * import * as MutableRef from "effect/MutableRef"
 *
 * // The dashboards as the service sent them, for a backup.
 * export const backup = Effect.gen(function* () {
 *   const received = MutableRef.make<ReadonlyArray<unknown>>([])
 *   yield* Dashboards.use(({ list }) => list()).pipe(Effect.provideService(ReceivedElements, received))
 *   return JSON.stringify(MutableRef.get(received))
 * })
 * ```
 */
export const ReceivedElements = Context.Reference<MutableRef.MutableRef<ReadonlyArray<unknown>> | undefined>(
  "@headgate/http-adapter/ReceivedElements",
  { defaultValue: () => undefined }
)
