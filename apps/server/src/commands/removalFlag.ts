import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import { UsageError } from "../StartupError.ts"

/** `--yes` of a command that removes what belongs to something. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Remove it with all that belongs to it"),
  Flag.withDefault(false)
)

/** Fails with `UsageError`, which says what would be removed, unless `--yes` was given. */
export const requireYes = (yes: boolean, what: string): Effect.Effect<void, UsageError> =>
  yes ? Effect.void : Effect.fail(new UsageError({ message: `${what} would be removed for good: pass --yes` }))
