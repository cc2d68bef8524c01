import { readFailure } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type { PlatformError } from "effect/PlatformError"
import { randomUUID } from "node:crypto"
import { StartupError } from "../StartupError.ts"

const startupError = (path: string, why: string) => new StartupError({ message: `--ready-file ${path}: ${why}` })

const failure = (path: string) => (error: PlatformError) => startupError(path, readFailure(error))

/** What the file holds of a server: its URL. */
const form = /^https?:\/\/\S+\n$/u

/** Writes a new file beside the path, and returns its name. Nothing that is there is written to. */
const write = Effect.fnUntraced(function* (path: string, url: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const written = `${path}.${randomUUID()}`
  yield* fileSystem.writeFileString(written, `${url}\n`, { flag: "wx" })
  return written
})

/**
 * Removes the file that a killed server has left, so that nobody takes it for this one's. Fails if {@link writeReadyFile} would, and if
 * the file is none of a server.
 */
export const removeReadyFile = Effect.fn("removeReadyFile")(function* (path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const remove = Effect.gen(function* () {
    if (yield* fileSystem.exists(path)) {
      const { type } = yield* fileSystem.stat(path)
      if (type !== "File" || !form.test(yield* fileSystem.readFileString(path))) {
        return yield* startupError(path, "it is there and holds no URL of a server: name another file")
      }
      yield* fileSystem.remove(path)
    }
    yield* fileSystem.remove(yield* write(path, ""))
  })
  yield* Effect.catchTag(remove, "PlatformError", failure(path))
})

/**
 * Writes the URL of a server that takes requests to a file, until the scope ends. A rename makes it the file: a reader never sees half
 * of it.
 */
export const writeReadyFile = Effect.fn("writeReadyFile")(function* (path: string, url: string) {
  const fileSystem = yield* FileSystem.FileSystem
  // A server that was started after this one may have written its own.
  const remove = Effect.flatMap(fileSystem.readFileString(path), (text) =>
    text === `${url}\n` ? fileSystem.remove(path) : Effect.void
  )
  yield* Effect.acquireRelease(
    Effect.mapError(
      Effect.flatMap(write(path, url), (written) => fileSystem.rename(written, path)),
      failure(path)
    ),
    () => Effect.ignore(remove)
  )
})
