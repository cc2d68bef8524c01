import { fieldIssues, formatFieldIssues } from "@headgate/core/error"
import { Snapshots } from "@headgate/core/snapshot"
import { type Dialect, snapshotOnWire } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { StartupError } from "./StartupError.ts"

const Json = Schema.fromJsonString(Schema.Unknown)

/**
 * Imports a snapshot document into the store: all of it, or nothing. What the store holds already is left as it is.
 * Every field that is wrong is named, a misspelt one included.
 */
export const importFile = Effect.fn("importFile")(function* (path: string, dialect: Dialect) {
  const fileSystem = yield* FileSystem.FileSystem
  const snapshots = yield* Snapshots
  const refuse = (why: string) => new StartupError({ message: `--import ${path}: ${why}` })
  const text = yield* fileSystem
    .readFileString(path)
    .pipe(Effect.mapError((error) => refuse(`the file could not be read (${error.message})`)))
  const document = yield* Schema.decodeEffect(Json)(text).pipe(
    Effect.mapError(() => refuse("the file is not valid JSON"))
  )
  const snapshot = yield* Schema.decodeUnknownEffect(snapshotOnWire(dialect), {
    errors: "all",
    onExcessProperty: "error"
  })(document).pipe(Effect.mapError((error) => refuse(formatFieldIssues(fieldIssues(error)))))
  return yield* snapshots.import(snapshot).pipe(Effect.mapError((error) => refuse(error.message)))
})
