import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { randomUUID } from "node:crypto"

/**
 * Writes a file as a whole: to a temporary file beside it, which then gets its name. A reader, also one
 * after a crash, finds the old text or the new one.
 */
export const replaceFile = Effect.fnUntraced(function* (path: string, text: string, mode: number) {
  const files = yield* FileSystem.FileSystem
  const temporary = `${path}.${randomUUID()}.tmp`
  yield* Effect.scoped(
    Effect.gen(function* () {
      const opened = yield* files.open(temporary, { flag: "wx", mode })
      yield* opened.writeAll(new TextEncoder().encode(text))
      yield* opened.sync
    })
  ).pipe(
    Effect.andThen(files.rename(temporary, path)),
    Effect.onError(() => Effect.ignore(files.remove(temporary, { force: true })))
  )
})
