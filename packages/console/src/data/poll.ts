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

/** Runs a task when its turn comes; rejects if the signal is aborted before. */
type InTurn = <A>(task: () => Promise<A>, signal: AbortSignal) => Promise<A>

/** Reads in time: a server that was suspended, or a network that lost the connection, never ends a request. */
const readInTime = async <A>(read: (signal: AbortSignal) => Promise<A>, controller: AbortController): Promise<A> => {
  const late = setTimeout(() => controller.abort(new CallFailed("The server does not answer.")), timeout)
  try {
    return await read(controller.signal)
  } finally {
    clearTimeout(late)
  }
}

/** Listens whether the page is seen, and for a session: one that is there, and each later sign-in. Returns what ends it. */
const listen = (onVisibility: () => void, onSession: () => void): (() => void) => {
  document.addEventListener("visibilitychange", onVisibility)
  const forget = session.subscribe((opened) => {
    if (opened !== undefined) onSession()
  })
  return () => {
    forget()
    document.removeEventListener("visibilitychange", onVisibility)
  }
}

/**
 * Polls: one request in flight, none while the page is hidden or nobody is signed in, later after a failure. `interval` is in
 * milliseconds; `undefined` reads once. A request waits for its turn, if `inTurn` makes it; one without an answer is given up after a
 * minute. `start` returns what ends it, and aborts the request in flight.
 */
export const makePoll = <A>(
  read: (signal: AbortSignal) => Promise<A>,
  interval: number | undefined,
  inTurn: InTurn = (task) => task()
): Poll<A> & { readonly start: () => () => void } => {
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
    try {
      const answer = await inTurn(() => readInTime(read, controller), controller.signal)
      if (current === controller) arrived(answer)
    } catch (error) {
      if (current !== controller) return
      failures += 1
      failure.value = asFailed(error)
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
    const stop = listen(onVisibility, refresh)
    return () => {
      isOn = false
      stop()
      drop()
    }
  }

  return { value, at, failure, refresh, set, start }
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
