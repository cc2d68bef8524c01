import { dialects } from "@headgate/http-contract"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isGateway } from "../gateway/gatewayFlags.ts"
import { createFirstCredentials, writeCredentialsFile } from "../store/firstCredentials.ts"
import { readImport } from "../store/importDocument.ts"
import { warnOfShadowedData } from "../store/shadowedData.ts"
import { credentialsFileText, credentialsText } from "./announcement.ts"
import type { Options } from "./serveFlags.ts"

/**
 * Prepares a store before the first request: the import, then the first credentials. Prints to stderr: stdout is for the
 * access log.
 */
export const prepareStore = Effect.fn("prepareStore")(function* (options: Options) {
  if (Option.isSome(options.import)) {
    const reader = { dialect: dialects[options.dialect], isGateway: isGateway(options) }
    yield* Console.error(yield* Effect.flatten(readImport("--import", options.import.value, reader)))
  }
  if (isGateway(options)) yield* warnOfShadowedData
  const created = yield* createFirstCredentials(options.upstreamOrganization)
  if (created.length === 0) return
  if (Option.isNone(options.credentialsFile)) return yield* Console.error(credentialsText(created))
  const file = options.credentialsFile.value
  yield* writeCredentialsFile(file, created).pipe(
    // The store holds their hashes by now: print the secrets, or they are lost.
    Effect.onError(() => Console.error(credentialsText(created)))
  )
  yield* Console.error(credentialsFileText(file, created))
})
