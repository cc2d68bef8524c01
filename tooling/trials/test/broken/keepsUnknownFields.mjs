// Takes every field of a source for a known one: it stores and answers unknown ones in clear.
import { changeSource } from "./changeSource.mjs"

await changeSource(/below ?=== ?void 0 ?&& ?!isKept\(name, ?field, ?path\)/, "false")
