import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isGateway } from "../gateway/gatewayFlags.ts"
import { checkCredentialsFile, createFirstCredentials, writeCredentialsFile } from "../store/firstCredentials.ts"
import { readImport } from "../store/importDocument.ts"
import { warnOfShadowedData } from "../store/shadowedData.ts"
import { addTestCredentials, prepareForKind } from "../store/testCredentials.ts"
import { credentialsFileText, credentialsText } from "./announcement.ts"
import { documentReader, type Options } from "./serveFlags.ts"

const prepare = Effect.fnUntraced(function* (options: Options) {
  if (options.demo) {
    const { importDemo } = yield* Effect.promise(() => import("../demo/importDemo.ts"))
    yield* importDemo(options)
  }
  if (Option.isSome(options.import)) {
    const read = readImport("--import", options.import.value, documentReader(options))
    yield* Console.error(yield* Effect.flatten(read))
  }
  if (options.testCredentials) yield* addTestCredentials
  if (isGateway(options)) yield* warnOfShadowedData
  const file = Option.getOrUndefined(options.credentialsFile)
  const created = yield* createFirstCredentials(
    options.upstreamOrganization,
    file === undefined ? Effect.void : checkCredentialsFile(file)
  )
  if (created.length === 0) return
  if (file === undefined) return yield* Console.error(credentialsText(created))
  yield* writeCredentialsFile(file, created)
  yield* Console.error(credentialsFileText(file, created))
})

/**
 * Prepares a store before the first request: what a demo shows, the import, then the first credentials. Fails before that if the store
 * was made for other credentials. Prints to stderr: stdout is for the access log.
 */
export const prepareStore = Effect.fn("prepareStore")((options: Options) =>
  prepareForKind(options.testCredentials, prepare(options))
)
