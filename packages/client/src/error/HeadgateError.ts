/** The fields of a {@link HeadgateError}, to create one by hand. */
export type HeadgateErrorFields = Pick<
  HeadgateError,
  "message" | "status" | "requestId" | "method" | "path" | "attempts" | "retryAfter" | "cause"
>

/** Marks the errors of every installed copy of this package, of whatever version. */
export const brand = Symbol.for("@headgate/client/HeadgateError")

/** Sets the name of an error class on its prototype, as the built-in errors do, so that an instance can be renamed. */
export const setErrorName = (prototype: Error, name: string): void => {
  Object.defineProperty(prototype, "name", { value: name, writable: true, configurable: true })
}

/**
 * The base class of every error of this package: `error instanceof HeadgateError`. No field ever holds a credential.
 * Use `isHeadgateError` to narrow by `_tag`, or where two copies of this package are installed.
 *
 * @example
 * ```ts
 * import { HeadgateError, type ManagementClient, type Pipe, type PipeAddress, PipeNotFoundError } from "@headgate/client"
 *
 * export const find = async (headgate: ManagementClient, address: PipeAddress): Promise<Pipe | undefined> => {
 *   try {
 *     return await headgate.pipes.get(address)
 *   } catch (error) {
 *     if (error instanceof PipeNotFoundError) return undefined
 *     if (error instanceof HeadgateError) console.error(error.message, error.requestId)
 *     throw error
 *   }
 * }
 * ```
 */
export class HeadgateError extends Error {
  // `declare`: a field without a value is absent, and is not printed.
  /** Which error it is: `RateLimited` for a `RateLimitedError`. */
  declare readonly _tag: string
  /** The HTTP status of the last response, if there was one. */
  declare readonly status?: number
  /** The request id of the last response: quote it to the operator of the service. */
  declare readonly requestId?: string
  /** The HTTP method, in capitals. */
  declare readonly method?: string
  /** The path of the request, without origin and query. */
  declare readonly path?: string
  /** How often the request was sent; 0 if it was rejected before. Absent in the test client. */
  declare readonly attempts?: number
  /** Why the connection failed, for a `ConnectionError`: an error with the runtime's message and `code`. Holds no credential. */
  declare readonly cause?: unknown
  /** How long to wait before the next request, in milliseconds, when the service said so. */
  declare readonly retryAfter?: number

  static {
    setErrorName(this.prototype, "HeadgateError")
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  constructor({ cause, message, ...fields }: HeadgateErrorFields) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, fields)
  }

  /** For structured logs: `JSON.stringify` of a plain error leaves out the message. */
  toJSON(): object {
    return Object.assign({ _tag: this._tag, message: this.message }, this)
  }
}
