import * as Effect from "effect/Effect"
import { constants } from "node:os"

/** From now on a signal to end is not heard out: the process is gone at once, as if the signal had killed it. */
export const endAtNextSignal = Effect.sync(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
})
