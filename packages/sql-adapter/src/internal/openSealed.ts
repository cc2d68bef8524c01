import type { Sealing } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** What is wrong with a sealed value that does not open. */
export const damagedSecret = (context: string): string =>
  `the sealed value ${context} does not open: the database was changed from outside`

/** A sealed text with another key. One that does not open is noted and stays as it is. `context` is what it belongs to. */
export type ResealText = (sealed: string, context: string) => Effect.Effect<string>

/** Opens a value that the store sealed. One that does not open is a defect: the store is damaged. */
export const openSealed = ({ open }: Sealing["Service"], sealed: string, context: string): Effect.Effect<string> =>
  Effect.flatMap(
    open(sealed, context),
    Option.match({
      onNone: () => Effect.die(damagedSecret(context)),
      onSome: Effect.succeed
    })
  )
