import type { CallFailed, Failure } from "../../data/CallFailed.ts"

const ofKey: Partial<Readonly<Record<Failure, string>>> = {
  signedOut: "No enabled key has this id and this secret.",
  notFound: "The server has no such organization.",
  tooMany: "Too many attempts have failed.",
  unreachable: "Is it running? Nothing was signed in."
}

const ofLink: Partial<Readonly<Record<Failure, string>>> = {
  signedOut: "The link was used already, or it is older than five minutes: `headgate console` prints a new one.",
  tooMany: "Too many links have failed.",
  unreachable: "Is it running? The link may still be used: open it again."
}

/** The text for a sign-in that failed. `by` is how they tried. */
export const adviceOf = (failed: CallFailed, by: "key" | "link"): string => {
  const wait = failed.retryAfter === undefined ? "" : ` Try again in ${Math.ceil(failed.retryAfter / 1000)} s.`
  // The message names what is in the way: an access list, another organization, or what a proxy in front is called.
  if (failed.failure === "forbidden") return `The server refuses the ${by}: ${failed.message}`
  const text = (by === "key" ? ofKey : ofLink)[failed.failure]
  return text === undefined ? `${failed.message}${wait}` : `${text}${wait}`
}
