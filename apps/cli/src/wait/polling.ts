import type { CallError } from "@headgate/core"
import * as Duration from "effect/Duration"
import type * as Types from "effect/Types"

const temporary = ["RateLimited", "ServerError", "ConnectionError", "TimeoutError"] as const

type Temporary = Types.ExtractTag<CallError, (typeof temporary)[number]>

/** Whether a later read may succeed. */
export const isTemporary = (error: { readonly _tag: string }): error is Temporary =>
  temporary.some((tag) => tag === error._tag)

const first = Duration.seconds(1)
const longest = Duration.seconds(10)

/** The pause before the next read: 1 second after a change, doubling to 10 while nothing changes. */
export const nextPause = (previous: Duration.Duration | undefined): Duration.Duration =>
  previous === undefined ? first : Duration.min(Duration.times(previous, 2), longest)

/** How long the service asks to wait. */
export const askedPause = (error: Temporary): Duration.Duration =>
  "retryAfter" in error && error.retryAfter !== undefined ? error.retryAfter : Duration.zero
