import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"

/**
 * Writes a file as a whole: to a temporary file beside it, which then gets its name. A reader, also one
 * after a crash, finds the old text or the new one.
 */
export const replaceFile = Effect.fnUntraced(function* (path: string, text: string, mode: number) {
  const files = yield* FileSystem.FileSystem
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
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

const leftover = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Removes the temporary files that killed processes left in a directory. No other process may write there now. */
export const removeLeftovers = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const name of yield* files.readDirectory(directory)) {
    if (leftover.test(name)) yield* files.remove(path.join(directory, name), { force: true })
  }
})
