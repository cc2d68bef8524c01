import { readFailure } from "@headgate/command-line"
import { decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { DocumentError, UsageError } from "../error/CommandError.ts"
import { nodeFiles } from "../usage/platform.ts"
import { warnOfMisspellings } from "./misspellings.ts"
import { parseDocument } from "./parseDocument.ts"
import type { NamedSetting } from "./Setting.ts"
import * as Stdin from "./stdin.ts"

/** `--file`: a document. `content` says what is in it. */
export const fileFlag = (metavar: string, content?: string) =>
  Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withMetavar(metavar),
    Flag.withDescription(`JSON or YAML document${content === undefined ? "" : ` with ${content}`}; - reads stdin`)
  )

/** Reads the text of a file. `source` is where it was given. */
export const readTextFile = Effect.fnUntraced(function* (file: string, source: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.mapError(
    files.readFileString(file),
    (error) => new UsageError({ message: `${source}: ${readFailure(error)}.` })
  )
}, Effect.provide(nodeFiles))

/**
 * Reads the document of `--file`, JSON or YAML, also from stdin for `-`, from which the secret of the command must not be
 * read, too. `source` is where the file was given.
 */
export const readDocument = Effect.fnUntraced(function* <Id extends string, R>(
  file: string,
  secret: NamedSetting<Id, Redacted.Redacted, R>,
  source = `--file ${file}`
) {
  const readText = Effect.gen(function* () {
    if (file !== "-") return yield* readTextFile(file, source)
    if (Option.exists(yield* secret.read, Stdin.isFromStdin)) {
      return yield* new UsageError({
        message: `${source} and --${secret.name} - both read stdin: set the ${secret.name} in ${secret.variable}.`
      })
    }
    return yield* Stdin.readAll(source)
  })
  return yield* Effect.mapError(
    parseDocument(file, yield* readText),
    ({ issues, message }) => new DocumentError({ message: `${source}: ${message}`, issues })
  )
})

/**
 * Makes the decoder of a document. `source` is where the document was given, and `what` it has to be: the error begins with
 * both and names the bad fields. It warns of fields that look misspelt. `more` are schemas that name fields which the first
 * passes on.
 */
export const documentDecoder = <A extends object>(
  schema: Schema.Codec<A, unknown>,
  what: string,
  ...more: ReadonlyArray<Schema.Constraint>
) => {
  const decode = decodeRequest(schema)
  return Effect.fnUntraced(function* (document: unknown, source: string) {
    const decoded = yield* Effect.mapError(
      decode(document),
      ({ issues, message }) => new DocumentError({ message: `${source}: this is not ${what}: ${message}`, issues })
    )
    yield* warnOfMisspellings([schema, ...more], document, `${source}: unknown field `)
    return decoded
  })
}
