import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { documentDecoder, fileFlag, readDocument } from "../settings/document.ts"
import { currentDialect, keySecret } from "../settings/settings.ts"

/** `--file`: the document of a request about a pipe. */
export const pipeFile = fileFlag("pipe.json", "the fields of the request, credentials included")

/** Reads a request from {@link pipeFile}, with the names of the current dialect. */
export const readPipeRequest = Effect.fnUntraced(function* <A extends object>(
  file: string,
  codec: (dialect: Dialect) => Schema.Codec<A, unknown>
) {
  const decode = documentDecoder(codec(yield* currentDialect), "a request for a pipe")
  return yield* decode(yield* readDocument(file, keySecret), `--file ${file}`)
})
