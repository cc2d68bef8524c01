import type { Dialect } from "@headgate/http-contract"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { importDocument } from "../snapshot/importDocument.ts"
import { StartupError } from "./StartupError.ts"

const Json = Schema.fromJsonString(Schema.Unknown)

/**
 * Imports the snapshot document of a file into the store: all of it, or nothing. What is wrong with it is told of
 * `asked`, which is how the import was asked for. Says what came of it.
 */
export const importFile = Effect.fn("importFile")(function* (asked: string, path: string, dialect: Dialect) {
  const fileSystem = yield* FileSystem.FileSystem
  const refuse = (why: string) => new StartupError({ message: `${asked} ${path}: ${why}` })
  const text = yield* fileSystem
    .readFileString(path)
    .pipe(Effect.mapError((error) => refuse(`the file could not be read (${error.message})`)))
  const document = yield* Schema.decodeEffect(Json)(text).pipe(
    Effect.mapError(() => refuse("the file is not valid JSON"))
  )
  const { added, kept } = yield* importDocument(document, dialect).pipe(
    Effect.mapError((error) => refuse(error.message))
  )
  yield* Console.log(`imported ${path}: ${added} added, ${kept} there already`)
})
