import { Snapshots } from "@headgate/core/snapshot"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { decodeDocument, type DocumentReader } from "../snapshot/importDocument.ts"
import { StartupError } from "./StartupError.ts"

const Json = Schema.fromJsonString(Schema.Unknown)

/**
 * Reads the snapshot document of a file, and answers how to import it: all of it, or nothing. What is wrong with it is
 * told of `asked`, which is how the import was asked for. The import answers what came of it, in a line.
 */
export const readImport = Effect.fn("readImport")(function* (asked: string, path: string, reader: DocumentReader) {
  const fileSystem = yield* FileSystem.FileSystem
  const refuse = (why: string) => new StartupError({ message: `${asked} ${path}: ${why}` })
  const text = yield* fileSystem
    .readFileString(path)
    .pipe(Effect.mapError((error) => refuse(`the file could not be read (${error.message})`)))
  const document = yield* Schema.decodeEffect(Json)(text).pipe(
    Effect.mapError(() => refuse("the file is not valid JSON"))
  )
  const snapshot = yield* decodeDocument(document, reader).pipe(Effect.mapError((error) => refuse(error.message)))
  return Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const { added, kept } = yield* snapshots.import(snapshot).pipe(Effect.mapError((error) => refuse(error.message)))
    return `imported ${path}: ${added} added, ${kept} there already`
  })
})
