import type { OutputError } from "@headgate/command-line"
import { FieldIssue, type PortError } from "@headgate/core"
import type { CallFields } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { constant } from "effect/Function"
import * as Schema from "effect/Schema"
import type { NounWithoutCommands } from "../request/operationOf.ts"

/** The exit codes of the process. Scripts may rely on them: a new kind of failure gets a new number. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  differences: 3,
  auth: 4,
  notFound: 5,
  timedOut: 8,
  unreachable: 9,
  interrupted: 130
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command line or the environment is wrong: exit code 2. `message` says what, and what to write instead. */
export class UsageError extends Schema.TaggedError<UsageError>("headgate/error/UsageError")("UsageError", {
  message: Schema.String
}) {}

/** An input file is wrong, and was not sent: exit code 2. `issues` names its wrong fields, if it is JSON. */
export class DocumentError extends Schema.TaggedError<DocumentError>("headgate/error/DocumentError")("DocumentError", {
  message: Schema.String,
  issues: Schema.Array(FieldIssue)
}) {}

/** Nothing has the name that was given in place of an id: exit code 5. `message` has the nearest name. */
export class NameNotFound extends Schema.TaggedError<NameNotFound>("headgate/error/NameNotFound")("NameNotFound", {
  message: Schema.String
}) {}

/** Several have the name that was given, or could be meant where none was: exit code 2. `message` lists their ids. */
export class AmbiguousName extends Schema.TaggedError<AmbiguousName>("headgate/error/AmbiguousName")("AmbiguousName", {
  message: Schema.String
}) {}

/** An awaited state was not reached in time: exit code 8. `message` has the last state. */
export class WaitTimedOut extends Schema.TaggedError<WaitTimedOut>("headgate/error/WaitTimedOut")("WaitTimedOut", {
  message: Schema.String
}) {}

/** The values of a completion were not there in time: exit code 8. */
export class CompletionTimedOut extends Schema.TaggedError<CompletionTimedOut>("headgate/error/CompletionTimedOut")(
  "CompletionTimedOut",
  { message: Schema.String }
) {}

/** An awaited state can no longer be reached: exit code 9. `message` has the state. */
export class StateUnreachable extends Schema.TaggedError<StateUnreachable>("headgate/error/StateUnreachable")(
  "StateUnreachable",
  { message: Schema.String }
) {}

/** The error of a list of problems, each on a line of its own. */
export const problemsError = (what: string, problems: ReadonlyArray<string>): DocumentError =>
  new DocumentError({ message: [`${what}:`, ...problems.map((problem) => `  ${problem}`)].join("\n"), issues: [] })

/** The user did not confirm. */
export class Cancelled extends Schema.TaggedError<Cancelled>("headgate/error/Cancelled")("Cancelled", {
  message: Schema.String
}) {}

/** The service refused the credentials of `login`, and nothing was saved. `message` says which credentials. */
export class CredentialsRefused extends Schema.TaggedError<CredentialsRefused>("headgate/error/CredentialsRefused")(
  "CredentialsRefused",
  {
    message: Schema.String,
    status: Schema.optionalKey(Schema.Int),
    requestId: Schema.optionalKey(Schema.String)
  }
) {}

/** A file could not be read or written. */
export class FileError extends Schema.TaggedError<FileError>("headgate/error/FileError")("FileError", {
  message: Schema.String
}) {}

/** `headgate diff` has printed differences: exit code 3, without an error message. */
export class DifferencesFound extends Schema.TaggedError<DifferencesFound>("headgate/error/DifferencesFound")(
  "DifferencesFound",
  {}
) {}

/** Some tiles of a dashboard could not be shown: exit code 1. The others were printed. `message` says why, for each. */
export class TilesFailed extends Schema.TaggedError<TilesFailed>("headgate/error/TilesFailed")("TilesFailed", {
  message: Schema.String
}) {}

/** The service answered a raw request with another status than 2xx. */
export class ResponseError extends Schema.TaggedError<ResponseError>("headgate/error/ResponseError")("ResponseError", {
  message: Schema.String,
  status: Schema.Number,
  method: Schema.String,
  path: Schema.String,
  requestId: Schema.optionalKey(Schema.String)
}) {}

/** Every error of a command whose command line was valid. */
export type CommandError =
  | UsageError
  | DocumentError
  | NameNotFound
  | AmbiguousName
  | WaitTimedOut
  | CompletionTimedOut
  | StateUnreachable
  | FileError
  | OutputError
  | Cancelled
  | CredentialsRefused
  | ResponseError
  | TilesFailed
  | PortError

/** The exit code of an error, and a hint where the message alone does not say what to do. */
export interface Hint {
  readonly exitCode: ExitCode | ((error: Partial<CallFields>) => ExitCode)
  readonly text?: (error: Partial<CallFields>, roles?: ReadonlyArray<string>) => string | Effect.Effect<string>
}

const { auth, error, notFound, timedOut, unreachable, usage } = exitCodes

/** What is not found by a command that lists none. */
const missing: Hint = { exitCode: notFound, text: constant("Check the id, --organization and --service.") }

type Unlisted = `${Capitalize<NounWithoutCommands>}NotFound`

/** The hint for each error. An error that core gains does not compile until it has an exit code. */
const hints: { readonly [Tag in Exclude<CommandError["_tag"], Unlisted>]: Hint } & {
  readonly [Tag in Unlisted]?: undefined
} = {
  UsageError: { exitCode: usage, text: constant("Run 'headgate --help' for flags and environment variables.") },
  DocumentError: { exitCode: usage },
  NameNotFound: { exitCode: notFound },
  AmbiguousName: { exitCode: usage },
  WaitTimedOut: { exitCode: timedOut, text: constant("Set a longer --wait-timeout.") },
  CompletionTimedOut: { exitCode: timedOut, text: constant("Set a longer HEADGATE_COMPLETION_TIMEOUT.") },
  StateUnreachable: { exitCode: unreachable },
  FileError: { exitCode: error },
  OutputError: { exitCode: error },
  Cancelled: { exitCode: error },
  CredentialsRefused: { exitCode: auth, text: constant("Check them and --url, then log in again.") },
  ResponseError: {
    exitCode: ({ status }) => (status === 401 || status === 403 ? auth : status === 404 ? notFound : error)
  },
  TilesFailed: { exitCode: error },
  InvalidRequest: { exitCode: error },
  Conflict: { exitCode: error },
  PreconditionFailed: {
    exitCode: error,
    text: constant("Somebody else has changed it since it was read: run the command again.")
  },
  FailedDependency: {
    exitCode: error,
    text: ({ path = "" }) =>
      path.includes("/charts/")
        ? "'headgate-server --charts' queries charts: docs/dashboards.md has what it needs."
        : "Run 'headgate service start' if the service is stopped, 'headgate service wake' if it is idle."
  },
  RateLimited: { exitCode: error, text: constant("Wait a minute, or set a larger --max-retries.") },
  ServerError: {
    exitCode: error,
    text: ({ requestId }) =>
      requestId === undefined
        ? "If it persists, tell the operator of the service when it happened."
        : "If it persists, send the request id to the operator of the service."
  },
  Unauthorized: {
    exitCode: auth,
    text: constant(
      "Pipes and keys need HEADGATE_KEY_ID and HEADGATE_KEY_SECRET, dashboards need HEADGATE_TOKEN, or a profile. 'headgate whoami --explain' shows where each value comes from."
    )
  },
  Forbidden: {
    exitCode: auth,
    text: (error, roles) =>
      Effect.map(
        Effect.promise(() => import("../request/knownOperations.ts")),
        ({ forbiddenHint }) => forbiddenHint(error, roles)
      )
  },
  ReversePrivateEndpointNotFound: {
    exitCode: notFound,
    text: constant("Check the id, --organization, --service and --dialect.")
  },
  OrganizationNotFound: { exitCode: notFound, text: constant("Check --organization.") },
  ServiceNotFound: { exitCode: notFound, text: constant("Check --organization and --service.") },
  PipeNotFound: { exitCode: notFound, text: constant("Check the id, --organization, --service and --dialect.") },
  DashboardNotFound: { exitCode: notFound, text: constant("'headgate dashboard list' shows the ids.") },
  ConnectionNotFound: { exitCode: notFound, text: constant("'headgate connection list' shows the ids.") },
  SourceNotFound: { exitCode: notFound, text: constant("'headgate source list' shows the ids.") },
  SavedSearchNotFound: { exitCode: notFound, text: constant("'headgate saved-search list' shows the ids.") },
  WebhookNotFound: { exitCode: notFound, text: constant("'headgate webhook list' shows the ids.") },
  AlertNotFound: { exitCode: notFound, text: constant("'headgate alert list' shows the ids.") },
  ChartNotFound: {
    exitCode: notFound,
    text: constant("'headgate dashboard list' and 'headgate source list' show the ids.")
  },
  KeyNotFound: { exitCode: notFound, text: constant("'headgate key list' shows the ids.") },
  RoleNotFound: { exitCode: notFound, text: constant("'headgate role list' shows the ids.") },
  TokenNotFound: { exitCode: notFound, text: constant("Check the id and --organization.") },
  ConnectionError: { exitCode: error, text: constant("Check --url and the network.") },
  TimeoutError: { exitCode: timedOut, text: constant("Set a longer --timeout.") },
  UnexpectedResponse: { exitCode: error, text: constant("Check that --url is the URL of the API, and --dialect.") }
}

/** The hint for an error. */
export const hintOf = ({ _tag }: CommandError): Hint => hints[_tag] ?? missing

/** The exit code of an error. */
export const exitCodeOf = (failure: CommandError): ExitCode => {
  const { exitCode } = hintOf(failure)
  return typeof exitCode === "number" ? exitCode : exitCode(failure)
}
