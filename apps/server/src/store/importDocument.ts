import { fieldIssues, formatFieldIssues, InvalidRequest, Snapshots } from "@headgate/core"
import { type Dialect, snapshotCodec } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { StartupError } from "../StartupError.ts"
import { unservedFields } from "../gateway/shadowedData.ts"

/** Whom a document is for. */
export interface DocumentReader {
  readonly dialect: Dialect
  /** A gateway would keep pipes and dashboards, and never serve them. */
  readonly isGateway: boolean
}

/** Reads a snapshot document. Fails with `InvalidRequest`, which names every field that is wrong, a misspelt one included. */
export const decodeDocument = Effect.fnUntraced(function* (document: unknown, { dialect, isGateway }: DocumentReader) {
  const decode = Schema.decodeUnknownEffect(snapshotCodec(dialect), { errors: "all", onExcessProperty: "error" })
  const snapshot = yield* decode(document).pipe(
    Effect.mapError((error) => {
      const issues = fieldIssues(error)
      return new InvalidRequest({ message: formatFieldIssues(issues), issues })
    })
  )
  const issues = isGateway ? unservedFields(snapshot) : []
  if (issues.length > 0) return yield* new InvalidRequest({ message: formatFieldIssues(issues), issues })
  return snapshot
})

/** Imports a snapshot document into the store: all of it, or nothing. What the store holds already is left as it is. */
export const importDocument = Effect.fn("importDocument")(function* (document: unknown, reader: DocumentReader) {
  const snapshots = yield* Snapshots
  return yield* snapshots.import(yield* decodeDocument(document, reader))
})

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
