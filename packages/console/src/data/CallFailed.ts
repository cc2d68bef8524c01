/** Why a call failed, in the words of the page. */
export type Failure =
  /** No answer came: the server is away, or the network. */
  | "unreachable"
  /** The session has ended. */
  | "signedOut"
  | "invalid"
  | "forbidden"
  | "notFound"
  | "conflict"
  /** Someone changed it in the meantime. */
  | "changed"
  | "tooMany"
  /** Something that the server needs is away. */
  | "unavailable"
  | "failed"
  /** The page itself has a fault, or the browser lacks something. */
  | "page"

const failures: Readonly<Record<number, Failure>> = {
  400: "invalid",
  401: "signedOut",
  403: "forbidden",
  404: "notFound",
  409: "conflict",
  412: "changed",
  422: "invalid",
  429: "tooMany",
  424: "unavailable",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable"
}

/** A call that failed. `message` is the server's, or says that there was no answer. */
export class CallFailed extends Error {
  override readonly name = "CallFailed"
  readonly failure: Failure
  readonly status: number | undefined
  /** The id of the request, for the operator's log. */
  readonly requestId: string | undefined
  /** When the server wants to be asked again, in milliseconds from now. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    about: {
      readonly status?: number | undefined
      readonly requestId?: string | undefined
      readonly retryAfter?: number | undefined
      /** What it is, if there was no answer; `unreachable` by default. */
      readonly failure?: Failure
    } = {}
  ) {
    super(message)
    this.status = about.status
    this.failure = about.status === undefined ? (about.failure ?? "unreachable") : (failures[about.status] ?? "failed")
    this.requestId = about.requestId
    this.retryAfter = about.retryAfter
  }
}

/** The message of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What was thrown as a failure that is shown: what is none of a call is a fault of the page. */
export const asFailed = (error: unknown): CallFailed =>
  error instanceof CallFailed ? error : new CallFailed(messageOf(error), { failure: "page" })
