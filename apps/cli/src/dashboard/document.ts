import { readFailure } from "@headgate/command-line"
import type { DashboardCreate, DashboardUpdate } from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import { DocumentError, UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { token } from "../settings/settings.ts"
import * as Stdin from "../settings/stdin.ts"
import { misspellings } from "./misspellings.ts"

/** `--file`: the document of a dashboard. */
export const fileFlag = Flag.String("file").pipe(
  Flag.withAlias("f"),
  Flag.withMetavar("dashboard.json"),
  Flag.withDescription("JSON document with name, tiles and tags; - reads stdin")
)

const readText = Effect.fnUntraced(function* (file: string) {
  if (file !== "-") {
    const files = yield* FileSystem.FileSystem
    return yield* Effect.mapError(
      files.readFileString(file),
      (error) => new UsageError({ message: `--file ${file}: ${readFailure(error)}.` })
    )
  }
  if (Option.exists(yield* token.read, Stdin.isFromStdin)) {
    return yield* new UsageError({
      message: "--file - and --token - both read stdin: set the token in HEADGATE_TOKEN."
    })
  }
  return yield* Stdin.readAll("--file")
})

/** Reads the JSON document of `--file`, or of stdin for `-`. */
export const readDocument = (file: string) =>
  Effect.flatMap(readText(file), (text) =>
    Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: (cause) => new DocumentError({ message: `--file ${file}: this is not JSON: ${String(cause)}`, issues: [] })
    })
  )

/** Makes the decoder of a document. `problem` begins the message of the error, which names the bad fields. */
export const documentDecoder = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = decodeRequest(schema)
  return (document: unknown, problem: string) =>
    Effect.mapError(
      decode(document),
      ({ issues, message }) => new DocumentError({ message: `${problem}: ${message}`, issues })
    )
}

/** Makes the reader of `--file` for a kind of request. It warns of fields that look misspelt. */
export const dashboardReader = <A extends DashboardCreate | DashboardUpdate>(schema: Schema.Codec<A, unknown>) => {
  const decode = documentDecoder(schema)
  return Effect.fnUntraced(function* (file: string) {
    const request = yield* decode(yield* readDocument(file), `--file ${file}: this is not a dashboard`)
    for (const misspelling of misspellings(request)) {
      yield* Output.note(`warning: --file ${file}: unknown field ${misspelling} It is sent as it is.`)
    }
    return request
  })
}
