import * as Effect from "effect/Effect"
import type { StartupError } from "../startup/StartupError.ts"
import type { UsageError } from "../startup/UsageError.ts"
import { Primary } from "./Primary.ts"

/** Serves until the supervising process says that it is to end. That process also says why a worker cannot start. */
export const runWorker = (serving: Effect.Effect<never, StartupError | UsageError, Primary>) =>
  Effect.gen(function* () {
    const { ended, tell } = yield* Primary
    yield* Effect.raceFirst(serving, ended).pipe(
      Effect.catch(({ message }) => tell({ _tag: "Failed", message })),
      // Its channel would keep the process alive.
      Effect.ensuring(Effect.sync(() => process.connected && process.disconnect()))
    )
  }).pipe(Effect.provide(Primary.layer))
