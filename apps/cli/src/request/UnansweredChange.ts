import * as Context from "effect/Context"
import type * as MutableRef from "effect/MutableRef"

/** A request that changes something. */
export interface ChangeRequest {
  readonly method: string
  readonly path: string
}

/** The change that was sent last, until it is answered. Each run of the program has one of these. */
export const UnansweredChange = Context.Reference<MutableRef.MutableRef<ChangeRequest | undefined> | undefined>(
  "headgate/UnansweredChange",
  { defaultValue: () => undefined }
)
