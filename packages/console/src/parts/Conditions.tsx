import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { announce } from "../data/announce.ts"
import type { CallFailed, Failure } from "../data/CallFailed.ts"
import { second } from "../data/clock.ts"
import type { Poll } from "../data/poll.ts"
import { sentenceOf } from "../format/sentenceOf.ts"
import { ago } from "../format/times.ts"

const advice: Readonly<Record<Failure, string>> = {
  unreachable: "Is it running?",
  signedOut: "Sign in again.",
  invalid: "Change what the message names.",
  forbidden: "Sign in with a key that has a role for it.",
  notFound: "It may have been deleted.",
  conflict: "Look at its present state and try again.",
  changed: "Someone else changed it: look at what it is now, and repeat the change.",
  tooMany: "The server takes no more requests for now.",
  unavailable: "Something that the server needs is away.",
  page: "Reload the page. If it fails again, look for more in the console of the browser.",
  failed: "Its operator finds the reason in the log, by the id of the request."
}

/** The failures that pass. What is polled is asked again by itself; a change is not. */
const passing: ReadonlySet<Failure> = new Set(["unreachable", "tooMany", "unavailable"])

/** Why something failed, and what to do. `retry` is that of something that is polled. */
export const Failed = ({ failed, retry }: { readonly failed: CallFailed; readonly retry?: () => void }) => (
  <div class="failed" role="alert">
    <p>
      <strong>{sentenceOf(failed.message)}</strong> {advice[failed.failure]}
      {retry !== undefined && passing.has(failed.failure) ? " It is asked again by itself." : ""}
      {failed.requestId === undefined ? null : <small> Request {failed.requestId}</small>}
    </p>
    {retry === undefined ? null : (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
)

/** What a page says that has nothing to show, and what to do next. */
export const Empty = ({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Says why what is shown is old, and how old it is. */
const Stale = ({ at, message }: { readonly message: string; readonly at: number | undefined }) => {
  useEffect(() => announce(message), [message])
  return (
    <p class="stale">
      {message} Shown is what was read {ago(at, Math.max(second.value, at ?? 0))}.
    </p>
  )
}

interface PolledProps<A> {
  readonly poll: Poll<A>
  /** What is being loaded, such as `pipes`. */
  readonly of: string
  readonly children: (value: A) => ComponentChildren
}

/** What was polled; before the first answer that it loads, and after a failure the last value with its age. */
export const Polled = <A,>({ children, of, poll }: PolledProps<A>) => {
  const failed = poll.failure.value
  const value = poll.value.value
  if (value === undefined) {
    return failed === undefined ? (
      <p class="loading">Loading {of} …</p>
    ) : (
      <Failed failed={failed} retry={poll.refresh} />
    )
  }
  return (
    <>
      {failed === undefined ? null : <Stale message={sentenceOf(failed.message)} at={poll.at.value} />}
      {children(value)}
    </>
  )
}
