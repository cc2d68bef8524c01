// Opens files until there are no more, and prints what the check of the process finds before and after.
import * as Effect from "effect/Effect"
import { openSync } from "node:fs"
import { devNull } from "node:os"
import { checkProcess } from "../../src/pipe/ownFailure.ts"

const before = await Effect.runPromise(checkProcess)
const fill = () => {
  for (;;) openSync(devNull, "r")
}
const error = await Effect.runPromise(Effect.flip(Effect.try({ try: fill, catch: String })))
const after = await Effect.runPromise(checkProcess)
process.stdout.write(`${JSON.stringify({ before: before ?? null, after: after ?? null, error: error.slice(0, 20) })}\n`)
