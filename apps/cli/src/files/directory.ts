import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import { DocumentError, problemsError } from "../error/CommandError.ts"
import { parseDocument } from "../settings/parseDocument.ts"
import { readResource, type ResourceKind, resourceKinds } from "./kinds.ts"
import { lockFileName } from "./lockFile.ts"
import { type Members, membersOf } from "./members.ts"
import { directoryError, fileError } from "../usage/writeFile.ts"

/** A file of a directory, and the resource that it is. */
export interface FileResource {
  /** The name of the file in its directory. */
  readonly file: string
  readonly kind: ResourceKind
  readonly name: string
  /** The document as it is compared with what the service answers. Secrets are references. */
  readonly value: Members
  readonly text: string
  /** The document as it is written. */
  readonly document: Members
}

const maxFiles = 2000
// As large as the body of a request may be.
const maxBytes = 1024 * 1024

/** The name of a file of a kind: `orders.pipe.yaml`. */
const fileName = new RegExp(`^.+\\.(${resourceKinds.join("|")})\\.(?:ya?ml|json)$`)

const isDocument = (file: string): boolean =>
  /\.(?:ya?ml|json)$/.test(file) && !file.startsWith(".") && !file.endsWith(".schema.json") && file !== lockFileName

const kindOf = (file: string): ResourceKind | undefined => {
  const [, kind] = fileName.exec(file) ?? []
  return resourceKinds.find((one) => one === kind)
}

const wrong = (message: string) => new DocumentError({ message, issues: [] })

const readFile = Effect.fnUntraced(function* (path: string, file: string, dialect: Dialect) {
  const files = yield* FileSystem.FileSystem
  const kind = kindOf(file)
  if (kind === undefined) {
    return yield* wrong(`its name must end in ${resourceKinds.map((one) => `.${one}.yaml`).join(", ")} (or .json)`)
  }
  const { size, type } = yield* Effect.mapError(files.stat(path), fileError(path))
  if (type !== "File") return yield* wrong("it is not a file")
  if (Number(size) > maxBytes) return yield* wrong(`it is larger than ${maxBytes} bytes`)
  const text = yield* Effect.mapError(files.readFileString(path), fileError(path))
  const document = yield* parseDocument(file, text)
  const value = yield* readResource(kind, dialect, document)
  const resource: FileResource = { file, kind, name: String(value["name"]), value, text, document: membersOf(document) }
  return resource
})

/** Reads every file of a directory; subdirectories are not read. The error names every file that is wrong. */
export const readDirectory = Effect.fnUntraced(function* (directory: string, dialect: Dialect) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = (yield* Effect.mapError(files.readDirectory(directory), directoryError(directory)))
    .filter(isDocument)
    .toSorted()
  if (names.length > maxFiles) return yield* wrong(`${directory}: it has more than ${maxFiles} files.`)
  const read = yield* Effect.forEach(names, (file) =>
    Effect.result(
      Effect.mapError(readFile(path.join(directory, file), file, dialect), (error) =>
        error._tag === "FileError" ? error.message : `${file}: ${error.message}`
      )
    )
  )
  const resources = read.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
  const problems = read.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))
  if (problems.length > 0) return yield* problemsError(`The directory ${directory} has wrong files`, problems)
  return resources
})
