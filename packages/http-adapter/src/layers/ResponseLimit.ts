import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { Attempt } from "../Attempt.ts"

const mebibyte = 1024 * 1024

/** How many bytes of an answer are read at most. `Transport` and `UndiciHttpClient` read it. */
export const MaxResponseBytes = Context.Reference<number>("@headgate/http-adapter/MaxResponseBytes", {
  defaultValue: () => 64 * mebibyte
})

/** Formats a size for an error: `64 MiB`, `1000 bytes`. */
export const formatBytes = (bytes: number): string =>
  bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`

/** Sets {@link MaxResponseBytes} for every attempt: a larger answer is aborted. */
export const responseLimit = (maxResponseBytes: number | undefined): ((attempt: Attempt) => Attempt) =>
  maxResponseBytes === undefined
    ? identity
    : (attempt) => (call) => Effect.provideService(attempt(call), MaxResponseBytes, maxResponseBytes)
