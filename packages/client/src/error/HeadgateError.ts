/** What every error of a client tells. No field ever holds a credential. */
export interface HeadgateErrorFields {
  /** What happened, and what to do about it. */
  readonly message: string
  /** The HTTP status of the last answer, if there was one. */
  readonly status?: number
  /** The request id of the last answer: quote it to whoever runs the service. */
  readonly requestId?: string
  readonly method?: string
  /** The path of the request, without origin and query. */
  readonly path?: string
  /** How often the request was sent; 0 where it was refused before. Absent in the test client. */
  readonly attempts?: number
  /** How long to wait before the next request, in milliseconds, when the service said so. */
  readonly retryAfter?: number
}

/** Marks the errors of every installed copy of this package, of whatever version. */
export const brand = Symbol.for("@headgate/client/HeadgateError")

/** Names the errors of a class as those of the language are named: on the prototype, and one may be renamed. */
export const nameErrors = (errors: { readonly prototype: Error }, name: string): void => {
  Object.defineProperty(errors.prototype, "name", { value: name, writable: true, configurable: true })
}

/**
 * What every error of a client extends: `error instanceof HeadgateError`. `_tag` says which one it is; to have it
 * narrow the type as well, or where two copies of this package are installed, ask `isHeadgateError`.
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
export class HeadgateError<Fields extends HeadgateErrorFields = HeadgateErrorFields>
  extends Error
  implements HeadgateErrorFields
{
  // Declared and not defined: a field that was not given is not there, and is not printed.
  /** Which error it is: `RateLimited` for a `RateLimitedError`. */
  declare readonly _tag: string
  declare readonly status?: number
  declare readonly requestId?: string
  declare readonly method?: string
  declare readonly path?: string
  declare readonly attempts?: number
  declare readonly retryAfter?: number

  static {
    nameErrors(this, "HeadgateError")
    Object.defineProperty(this.prototype, brand, { value: true })
  }

  constructor({ message, ...fields }: Fields) {
    super(message)
    Object.assign(this, fields)
  }

  /** For structured logs: `JSON.stringify` of a plain error leaves out the message. */
  toJSON(): object {
    return Object.assign({ _tag: this._tag, message: this.message }, this)
  }
}
