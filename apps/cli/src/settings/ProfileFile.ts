import { readFailure } from "@headgate/command-line"
import { fieldIssues, formatFieldIssues } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { dirname } from "node:path"
import { UsageError } from "../error/CommandError.ts"
import { replaceFile } from "../usage/replaceFile.ts"
import { ProfileDocument } from "./Profile.ts"

/** The user of the process; `undefined` on Windows, which has neither numbers of users nor modes of files. */
export const UserId = Context.Reference<number | undefined>("headgate/settings/UserId", {
  defaultValue: () => process.getuid?.()
})

const decode = Schema.decodeUnknownEffect(ProfileDocument, { errors: "all" })
const encode = Schema.encodeEffect(ProfileDocument)

// Larger than any list of profiles, and little enough to read before every command.
const maxBytes = 1_048_576n

const unreadable = (file: string) => (error: PlatformError) =>
  new UsageError({ message: `${file} cannot be read: ${readFailure(error)}.` })

// A user who can read the file has its secrets; its owner chose its content.
const refusal = (info: FileSystem.File.Info, file: string, userId: number | undefined): string | undefined => {
  if (info.type !== "File") return "is not a file"
  if (BigInt(info.size) > maxBytes) return "is larger than 1 MiB"
  if (userId === undefined) return undefined
  if (Option.exists(info.uid, (owner) => owner !== userId)) return "belongs to another user: remove it or `chown` it"
  return (info.mode & 0o077) === 0
    ? undefined
    : `can be read by others (mode ${(info.mode & 0o777).toString(8)}): run \`chmod 600 ${file}\``
}

/**
 * Reads a file of profiles; none if there is no file. It is refused if another user owns it or can read it. No error
 * quotes the file, which holds secrets.
 */
export const read = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const found = yield* Effect.matchEffect(files.stat(file), {
    onSuccess: Effect.succeedSome,
    onFailure: (error) => (error.reason._tag === "NotFound" ? Effect.succeedNone : Effect.fail(unreadable(file)(error)))
  })
  if (Option.isNone(found)) return Option.none<ProfileDocument>()
  const why = refusal(found.value, file, yield* UserId)
  if (why !== undefined) return yield* new UsageError({ message: `${file} was not used: it ${why}.` })
  const text = yield* Effect.mapError(files.readFileString(file), unreadable(file))
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new UsageError({ message: `${file} is not JSON: correct it, or delete it and run 'headgate login'.` })
  })
  const document = yield* Effect.mapError(
    decode(json),
    (error) => new UsageError({ message: `${file}: ${formatFieldIssues(fieldIssues(error))}.` })
  )
  return Option.some(document)
})

/** Writes a file of profiles, readable by its user alone. It is complete at any time: a reader sees the old or the new. */
export const write = (file: string, document: ProfileDocument) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const text = JSON.stringify(yield* Effect.orDie(encode(document)), undefined, 2)
    const directory = dirname(file)
    yield* files.makeDirectory(directory, { recursive: true, mode: 0o700 })
    yield* files.chmod(directory, 0o700)
    yield* replaceFile(file, `${text}\n`, 0o600)
  }).pipe(Effect.mapError((error) => new UsageError({ message: `${file} cannot be written: ${readFailure(error)}.` })))
