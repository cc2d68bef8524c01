import { dialects } from "@headgate/http-contract"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Options } from "../Options.ts"
import { mintedText } from "./announcement.ts"
import { writeCredentialsFile } from "./credentialsFile.ts"
import { importFile } from "./importFile.ts"
import { mintCredentials } from "./mintCredentials.ts"

/** Readies a store before the first request: the import, then the first credentials of whoever has none. */
export const prepare = Effect.fn("prepare")(function* (options: Options) {
  if (Option.isSome(options.import)) {
    const { added, kept } = yield* importFile(options.import.value, dialects[options.dialect])
    yield* Console.log(`imported ${options.import.value}: ${added} added, ${kept} there already`)
  }
  const minted = yield* mintCredentials(options.upstreamOrganization)
  if (minted.length === 0) return
  // Shown first: they are stored by now, and a file that cannot be written must not lose them.
  yield* Console.log(mintedText(minted))
  if (Option.isSome(options.credentialsFile)) yield* writeCredentialsFile(options.credentialsFile.value, minted)
})
