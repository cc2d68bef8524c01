import { CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { type FieldErrors, fieldErrorsOf } from "../../data/fieldErrors.ts"
import { differences } from "./details.ts"
import type { Polls, VersionedPipe } from "./usePipe.ts"

const changedMessage = (before: VersionedPipe, after: VersionedPipe): string => {
  const what = differences(before.value, after.value)
  return what.length === 0
    ? "The pipe was changed meanwhile, and is as it was."
    : `The pipe was changed meanwhile: ${what.join("; ")}.`
}

/**
 * Makes a change to the version of the pipe that the dialog shows. If someone else has changed it, the pipe is loaded again, and the
 * failure says what is different now: the next attempt is made to that version.
 */
export const changePipe = async (
  { address, pipe, refresh }: Polls,
  seen: { current: VersionedPipe },
  change: (etag: string | undefined) => Promise<unknown>
): Promise<void> => {
  try {
    await change(seen.current.etag)
  } catch (error) {
    if (!(error instanceof CallFailed) || error.failure !== "changed") throw error
    const present = await calls.pipe.get.versioned(address)
    const message = changedMessage(seen.current, present)
    seen.current = present
    pipe.set(present)
    throw new CallFailed(message, { status: error.status, requestId: error.requestId })
  }
  refresh()
}

/** What the server says is wrong, by field. A name that is no field of the form is left to the message. */
export const errorsOf = (error: unknown, names: ReadonlyArray<string>): FieldErrors => {
  if (!(error instanceof CallFailed) || error.failure !== "invalid") return {}
  return Object.fromEntries(Object.entries(fieldErrorsOf(error.message)).filter(([name]) => names.includes(name)))
}
