import { type ExitCode, exitCodes } from "../exitCodes.ts"
import type { CommandError } from "./CommandError.ts"

/** How a command ends that failed so, and where its user turns when the message alone does not say. */
export interface Advice {
  readonly exitCode: ExitCode
  readonly hint?: string
}

const { auth, error, notFound, timedOut, usage } = exitCodes

/** One entry for each error that a command can end with. The messages say what to do, these say by which flag. */
export const advice: { readonly [Tag in CommandError["_tag"]]: Advice } = {
  UsageError: { exitCode: usage, hint: "Run 'headgate --help' for flags and environment variables." },
  DocumentError: { exitCode: usage },
  Declined: { exitCode: error },
  InvalidRequest: { exitCode: error },
  Conflict: { exitCode: error },
  RateLimited: { exitCode: error },
  ServerError: { exitCode: error, hint: "If it goes on, quote the request id to whoever runs the service." },
  Unauthorized: {
    exitCode: auth,
    hint: "Pipes and keys take HEADGATE_KEY_ID and HEADGATE_KEY_SECRET, dashboards take HEADGATE_TOKEN."
  },
  Forbidden: { exitCode: auth, hint: "The organization is that of --organization or HEADGATE_ORGANIZATION." },
  PipeNotFound: { exitCode: notFound, hint: "Check the id, --organization, --service and --dialect." },
  ConnectionError: { exitCode: error, hint: "Check --url and the network." },
  TimeoutError: { exitCode: timedOut, hint: "Give it longer with --timeout." },
  UnexpectedResponse: { exitCode: error, hint: "Check that --url names the API and --dialect its spelling." }
}
