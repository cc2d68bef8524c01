import type { CallFailed } from "../../data/CallFailed.ts"

/** What to do about a tile whose data did not come. */
export const tileAdvice = ({ failure, retryAfter, status }: CallFailed): string => {
  if (status === 424) return "The other pages need no charts."
  if (status === 503) {
    const wait = retryAfter === undefined ? "" : ` in ${Math.max(Math.ceil(retryAfter / 1000), 1)} s`
    return `The server is busy: the tile is asked for again by itself${wait}.`
  }
  switch (failure) {
    case "forbidden":
      return "Rows are read by the role admin: sign in with a key that has it."
    case "invalid":
      return "Edit the tile, its filters or the condition, as the message says."
    case "notFound":
      return "Its source or its table is not there, or is not one that this organization may read."
    case "page":
      return "Reload the page."
    case "signedOut":
      return "Sign in again."
    case "unreachable":
    case "unavailable":
    case "tooMany":
      return "It is asked for again by itself."
    default:
      return "Its operator finds the reason in the log, by the id of the request."
  }
}
