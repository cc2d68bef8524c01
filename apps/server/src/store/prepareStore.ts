import { dialects } from "@headgate/http-contract"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { mintedText, writtenText } from "../commands/announcement.ts"
import type { Options } from "../commands/serveFlags.ts"
import { isGateway } from "../gateway/gatewayFlags.ts"
import { warnOfUnserved } from "../gateway/shadowedData.ts"
import { mintCredentials, writeCredentialsFile } from "./firstCredentials.ts"
import { readImport } from "./importDocument.ts"

/**
 * Readies a store before the first request: the import, then the first credentials of whoever has none. What it has to say
 * goes to stderr, as all that a server says: its stdout is the access log's.
 */
export const prepare = Effect.fn("prepare")(function* (options: Options) {
  if (Option.isSome(options.import)) {
    const reader = { dialect: dialects[options.dialect], isGateway: isGateway(options) }
    yield* Console.error(yield* Effect.flatten(readImport("--import", options.import.value, reader)))
  }
  if (isGateway(options)) yield* warnOfUnserved
  const minted = yield* mintCredentials(options.upstreamOrganization)
  if (minted.length === 0) return
  if (Option.isNone(options.credentialsFile)) return yield* Console.error(mintedText(minted))
  const file = options.credentialsFile.value
  yield* writeCredentialsFile(file, minted).pipe(
    // They are stored by now: a file that cannot be written must not lose them.
    Effect.onError(() => Console.error(mintedText(minted)))
  )
  yield* Console.error(writtenText(file, minted))
})
