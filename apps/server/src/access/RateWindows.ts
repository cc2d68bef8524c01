import * as Context from "effect/Context"
import * as MutableRef from "effect/MutableRef"

/**
 * What the names of the rate windows in use begin with. A server for tests forgets its windows by choosing another
 * beginning; no other ever does.
 */
export const RateWindows = Context.Reference<MutableRef.MutableRef<string>>("headgate-server/access/RateWindows", {
  defaultValue: () => MutableRef.make("headgate:")
})
