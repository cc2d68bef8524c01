import * as Context from "effect/Context"
import { defaultMaxResponseBytes } from "../Transport.ts"

/** How many bytes of an answer are read at most, for a client that reads them before it answers. */
export const MaxResponseBytes = Context.Reference<number>("@headgate/http-adapter/MaxResponseBytes", {
  defaultValue: () => defaultMaxResponseBytes
})
