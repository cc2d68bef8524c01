import { type ReadonlySignal, signal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { delayBefore } from "./backOff.ts"
import { asFailed, CallFailed } from "./CallFailed.ts"
import { now } from "./clock.ts"
import { session } from "./session.ts"

/** Something that is read again and again. What was read last stays when a later request fails. */
export interface Poll<A> {
  readonly value: ReadonlySignal<A | undefined>
  /** The time of `value`, in milliseconds since 1970. */
  readonly at: ReadonlySignal<number | undefined>
  /** Why the last request failed; `undefined` after one that did not. */
  readonly failure: ReadonlySignal<CallFailed | undefined>
  /** Reads it now. An answer to an earlier request is dropped. */
  readonly refresh: () => void
  /** Replaces the value, such as by the answer to a change. An answer to an earlier request is dropped. */
  readonly set: (value: A) => void
}

/** How long an answer may take, in milliseconds: longer than the server lets any request of these pages take. */
const timeout = 60_000

/**
 * Polls: one request in flight, none while the page is hidden or nobody is signed in, later after a failure. `interval` is in
 * milliseconds; `undefined` reads once. A request without an answer is given up after a minute. `start` returns what ends it, and aborts the request in flight.
 */
export const makePoll = <A>(read: (signal: AbortSignal) => Promise<A>, interval: number | undefined) => {
  const value = signal<A | undefined>(undefined)
  const at = signal<number | undefined>(undefined)
  const failure = signal<CallFailed | undefined>(undefined)
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isOn = false

  const arrived = (answer: A) => {
    value.value = answer
    at.value = now()
    failure.value = undefined
    failures = 0
  }

  /** Whether it is to be read again by itself. */
  const goesOn = () => isOn && !document.hidden && (interval !== undefined || failures > 0)

  const wait = () => {
    if (goesOn() && failure.peek()?.failure !== "signedOut")
      timer = setTimeout(refresh, delayBefore(failures, interval ?? 0, failure.peek()?.retryAfter))
  }

  const ask = async () => {
    const controller = new AbortController()
    current = controller
    // A server that was suspended, or a network that lost the connection, never ends a request.
    const late = setTimeout(() => controller.abort(new CallFailed("The server does not answer.")), timeout)
    try {
      const answer = await read(controller.signal)
      if (current === controller) arrived(answer)
    } catch (error) {
      if (current !== controller) return
      failures += 1
      failure.value = asFailed(error)
    } finally {
      clearTimeout(late)
    }
    if (current !== controller) return
    current = undefined
    wait()
  }

  const drop = () => {
    clearTimeout(timer)
    current?.abort()
    current = undefined
  }

  const refresh = () => {
    drop()
    if (isOn) void ask()
  }

  const set = (changed: A) => {
    drop()
    arrived(changed)
    wait()
  }

  // A page that is seen again asks once, however long it was hidden.
  const onVisibility = () => {
    clearTimeout(timer)
    if (current === undefined && goesOn()) refresh()
  }

  const start = () => {
    isOn = true
    document.addEventListener("visibilitychange", onVisibility)
    // Once at the start, and at each sign-in after a session has ended.
    const forget = session.subscribe((opened) => {
      if (opened !== undefined) refresh()
    })
    return () => {
      isOn = false
      forget()
      document.removeEventListener("visibilitychange", onVisibility)
      drop()
    }
  }

  const poll: Poll<A> = { value, at, failure, refresh, set }
  return { ...poll, start }
}

/** Polls while the component is there. It begins anew when one of `inputs` changes. */
export const usePoll = <A>(
  read: (signal: AbortSignal) => Promise<A>,
  interval: number | undefined,
  inputs: ReadonlyArray<unknown>
): Poll<A> => {
  const poll = useMemo(() => makePoll(read, interval), inputs)
  useEffect(() => poll.start(), [poll])
  return poll
}
