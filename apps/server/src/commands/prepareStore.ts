import { dialects } from "@headgate/http-contract"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isGateway } from "../gateway/gatewayFlags.ts"
import { checkCredentialsFile, createFirstCredentials, writeCredentialsFile } from "../store/firstCredentials.ts"
import { readImport } from "../store/importDocument.ts"
import { warnOfShadowedData } from "../store/shadowedData.ts"
import { credentialsFileText, credentialsText } from "./announcement.ts"
import type { Options } from "./serveFlags.ts"

/**
 * Prepares a store before the first request: what a demo shows, the import, then the first credentials. Prints to stderr: stdout is for the
 * access log.
 */
export const prepareStore = Effect.fn("prepareStore")(function* (options: Options) {
  if (options.demo) {
    const { importDemo } = yield* Effect.promise(() => import("../demo/importDemo.ts"))
    yield* importDemo(options)
  }
  if (Option.isSome(options.import)) {
    const reader = { dialect: dialects[options.dialect], isGateway: isGateway(options) }
    yield* Console.error(yield* Effect.flatten(readImport("--import", options.import.value, reader)))
  }
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
