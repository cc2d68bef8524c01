import * as Context from "effect/Context"
import type * as MutableRef from "effect/MutableRef"

/** The roles of the key, read after a response with status 403. Each run of the program has one of these. */
export const ForbiddenRoles = Context.Reference<MutableRef.MutableRef<ReadonlyArray<string> | undefined> | undefined>(
  "headgate/ForbiddenRoles",
  { defaultValue: () => undefined }
)
