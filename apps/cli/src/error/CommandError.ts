import type { OutputError } from "@headgate/command-line"
import { FieldIssue, type PortError } from "@headgate/core"
import type { CallFields } from "@headgate/core/adapter"
import { constant } from "effect/Function"
import * as Schema from "effect/Schema"

/** The exit codes of the process. Scripts may rely on them: a new kind of failure gets a new number. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  auth: 4,
  notFound: 5,
  timedOut: 8,
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

/** The user did not confirm. */
export class Declined extends Schema.TaggedError<Declined>("headgate/error/Declined")("Declined", {
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

/** Every error of a command whose command line was valid. */
export type CommandError = UsageError | DocumentError | OutputError | Declined | CredentialsRefused | PortError

/** The exit code of an error, and a hint where the message alone does not say what to do. */
export interface Advice {
  readonly exitCode: ExitCode
  readonly hint?: (error: Partial<CallFields>) => string
}

const { auth, error, notFound, timedOut, usage } = exitCodes

/** The advice for each error. Total: an error that core gains does not compile until it has an exit code. */
export const advice: { readonly [Tag in CommandError["_tag"]]: Advice } = {
  UsageError: { exitCode: usage, hint: constant("Run 'headgate --help' for flags and environment variables.") },
  DocumentError: { exitCode: usage },
  OutputError: { exitCode: error },
  Declined: { exitCode: error },
  CredentialsRefused: { exitCode: auth, hint: constant("Check them and --url, then log in again.") },
  InvalidRequest: { exitCode: error },
  Conflict: { exitCode: error },
  PreconditionFailed: { exitCode: error },
  FailedDependency: { exitCode: error },
  RateLimited: { exitCode: error },
  ServerError: {
    exitCode: error,
    hint: ({ requestId }) =>
      requestId === undefined
        ? "If it persists, tell the operator of the service when it happened."
        : "If it persists, send the request id to the operator of the service."
  },
  Unauthorized: {
    exitCode: auth,
    hint: constant(
      "Pipes and keys need HEADGATE_KEY_ID and HEADGATE_KEY_SECRET, dashboards need HEADGATE_TOKEN, or a profile. 'headgate whoami --explain' shows where each value comes from."
    )
  },
  Forbidden: {
    exitCode: auth, // Only a path of the management API has an organization.
    hint: ({ path }) =>
      path?.includes("/organizations/")
        ? "The roles of the key, its IP access list or --organization can be the cause. 'headgate key create --help' lists what each role may do."
        : "The role of the token's owner or an IP access list can be the cause."
  },
  ReversePrivateEndpointNotFound: {
    exitCode: notFound,
    hint: constant("Check the id, --organization, --service and --dialect.")
  },
  OrganizationNotFound: { exitCode: notFound, hint: constant("Check --organization.") },
  ServiceNotFound: { exitCode: notFound, hint: constant("Check --organization and --service.") },
  PipeNotFound: { exitCode: notFound, hint: constant("Check the id, --organization, --service and --dialect.") },
  DashboardNotFound: { exitCode: notFound, hint: constant("'headgate dashboard list' shows the ids.") },
  ConnectionNotFound: { exitCode: notFound, hint: constant("'headgate connection list' shows the ids.") },
  SourceNotFound: { exitCode: notFound, hint: constant("'headgate source list' shows the ids.") },
  KeyNotFound: { exitCode: notFound, hint: constant("'headgate key list' shows the ids.") },
  RoleNotFound: { exitCode: notFound, hint: constant("'headgate role list' shows the ids.") },
  TokenNotFound: { exitCode: notFound, hint: constant("Check the id and --organization.") },
  ConnectionError: { exitCode: error, hint: constant("Check --url and the network.") },
  TimeoutError: { exitCode: timedOut, hint: constant("Set a longer --timeout.") },
  UnexpectedResponse: { exitCode: error, hint: constant("Check that --url is the URL of the API, and --dialect.") }
}
