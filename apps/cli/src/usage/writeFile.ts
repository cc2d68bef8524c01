import { readFailure } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import type { PlatformError } from "effect/PlatformError"
import { FileError, UsageError } from "../error/CommandError.ts"
import { holdBack } from "../request/dryRun.ts"
import { nodeFiles } from "./platform.ts"
import { replaceFile } from "./replaceFile.ts"

/** Makes the error of a file that cannot be read or written. */
export const fileError = (path: string) => (error: PlatformError) =>
  new FileError({ message: `The file ${path} cannot be used: ${readFailure(error)}.` })

/** Makes the error of a directory that was given and cannot be used. */
export const directoryError = (path: string) => (error: PlatformError) =>
  new UsageError({ message: fileError(path)(error).message })

/** Writes a file as a whole; an interrupt waits for the end of the write. `--dry-run` ends the command instead. */
export const writeFile = (path: string, text: string, mode = 0o644) =>
  Effect.andThen(
    holdBack(`write the file ${path}`),
    replaceFile(path, text, mode).pipe(
      Effect.mapError(fileError(path)),
      Effect.uninterruptible,
      Effect.provide(nodeFiles)
    )
  )
