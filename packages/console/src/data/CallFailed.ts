/** Why a call failed, as a person is told it. */
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
    } = {}
  ) {
    super(message)
    this.status = about.status
    this.failure = about.status === undefined ? "unreachable" : (failures[about.status] ?? "failed")
    this.requestId = about.requestId
    this.retryAfter = about.retryAfter
  }
}
