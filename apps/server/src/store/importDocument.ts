import { readFailure } from "@headgate/command-line"
import { fieldIssues, Snapshots } from "@headgate/core"
import { invalidRequest } from "@headgate/core/adapter"
import { type Dialect, snapshotCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { StartupError } from "../StartupError.ts"
import { shadowedFields } from "./shadowedData.ts"
import { testCredentialPaths } from "./testCredentials.ts"

/** How snapshot documents are read. */
export interface DocumentReader {
  readonly dialect: Dialect
  /** A gateway accepts only what it serves itself: organizations, keys and tokens. */
  readonly isGateway: boolean
  /** Whether the store takes the credentials of `--test-credentials`. Absent: it does not. */
  readonly takesTestCredentials?: boolean
}

const published = "Expected none of the credentials of --test-credentials, which everybody knows: leave it out"

/** Decodes a snapshot document. Fails with `InvalidRequest`, which names every wrong or unknown field. */
const decodeDocument = Effect.fnUntraced(function* (
  document: unknown,
  { dialect, isGateway, takesTestCredentials = false }: DocumentReader
) {
  const decode = Schema.decodeUnknownEffect(snapshotCodec(dialect), { errors: "all", onExcessProperty: "error" })
  const snapshot = yield* decode(document).pipe(Effect.mapError((error) => invalidRequest(fieldIssues(error))))
  const issues = [
    ...(isGateway ? shadowedFields(snapshot) : []),
    ...(takesTestCredentials ? [] : testCredentialPaths(snapshot).map((path) => ({ path, message: published })))
  ]
  return issues.length > 0 ? yield* invalidRequest(issues) : snapshot
})

/** Imports a snapshot document: all of it, or nothing. What the store already holds stays unchanged. */
export const importDocument = Effect.fn("importDocument")(function* (document: unknown, reader: DocumentReader) {
  const snapshots = yield* Snapshots
  return yield* snapshots.import(yield* decodeDocument(document, reader))
})

const Json = Schema.fromJsonString(Schema.Unknown)

/**
 * Reads and checks the snapshot document of a file. Returns the effect that imports it, all or nothing, and returns one
 * line about the result. `flag` is how the import was requested, for error messages.
 */
export const readImport = Effect.fn("readImport")(function* (flag: string, path: string, reader: DocumentReader) {
  const fileSystem = yield* FileSystem.FileSystem
  const failure = (why: string) => new StartupError({ message: `${flag} ${path}: ${why}` })
  const text = yield* Effect.mapError(fileSystem.readFileString(path), (error) => failure(readFailure(error)))
  const document = yield* Schema.decodeEffect(Json)(text).pipe(
    Effect.mapError(() => failure("the file is not valid JSON"))
  )
  const snapshot = yield* decodeDocument(document, reader).pipe(Effect.mapError((error) => failure(error.message)))
  return Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const { added, kept } = yield* snapshots.import(snapshot).pipe(Effect.mapError((error) => failure(error.message)))
    return `imported ${path}: ${added} added, ${kept} there already`
  })
})
