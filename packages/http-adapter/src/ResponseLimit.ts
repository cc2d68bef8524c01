import type { InvalidRequest } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { Attempt } from "./Call.ts"
import { countOption } from "./validateOption.ts"

const mebibyte = 1024 * 1024

/** How many bytes of an answer are read: by the attempt, and by a client that reads an answer in one go. */
export const MaxResponseBytes = Context.Reference<number>("@headgate/http-adapter/MaxResponseBytes", {
  defaultValue: () => 64 * mebibyte
})

/** Such a bound in words. */
export const formatBytes = (bytes: number): string =>
  bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`

/** Reads so much of an answer and no more: what is larger is broken off. */
export const responseLimit = (
  maxResponseBytes: number | undefined
): Effect.Effect<(attempt: Attempt) => Attempt, InvalidRequest> =>
  maxResponseBytes === undefined
    ? Effect.succeed(identity)
    : Effect.map(
        countOption("maxResponseBytes", maxResponseBytes),
        (bytes) => (attempt) => (call) => Effect.provideService(attempt(call), MaxResponseBytes, bytes)
      )
