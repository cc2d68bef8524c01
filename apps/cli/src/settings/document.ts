import { readFailure } from "@headgate/command-line"
import { decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { DocumentError, UsageError } from "../error/CommandError.ts"
import type { NamedSetting } from "./Setting.ts"
import * as Stdin from "./stdin.ts"

/** `--file`: a JSON document. `content` says what is in it. */
export const fileFlag = (metavar: string, content?: string) =>
  Flag.String("file").pipe(
    Flag.withAlias("f"),
    Flag.withMetavar(metavar),
    Flag.withDescription(`JSON document${content === undefined ? "" : ` with ${content}`}; - reads stdin`)
  )

/** Reads the JSON document of `--file`, or of stdin for `-`, from which the secret of the command must not be read, too. */
export const readDocument = Effect.fnUntraced(function* <Id extends string, R>(
  file: string,
  secret: NamedSetting<Id, Redacted.Redacted, R>
) {
  const readText = Effect.gen(function* () {
    if (file !== "-") {
      const files = yield* FileSystem.FileSystem
      return yield* Effect.mapError(
        files.readFileString(file),
        (error) => new UsageError({ message: `--file ${file}: ${readFailure(error)}.` })
      )
    }
    if (Option.exists(yield* secret.read, Stdin.isFromStdin)) {
      return yield* new UsageError({
        message: `--file - and --${secret.name} - both read stdin: set the ${secret.name} in ${secret.variable}.`
      })
    }
    return yield* Stdin.readAll("--file")
  })
  const text = yield* readText
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new DocumentError({ message: `--file ${file}: this is not JSON: ${String(cause)}`, issues: [] })
  })
})

/** Makes the decoder of a document. `problem` begins the message of the error, which names the bad fields. */
export const documentDecoder = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = decodeRequest(schema)
  return (document: unknown, problem: string) =>
    Effect.mapError(
      decode(document),
      ({ issues, message }) => new DocumentError({ message: `${problem}: ${message}`, issues })
    )
}
