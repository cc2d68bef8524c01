import * as Context from "effect/Context"
import * as MutableRef from "effect/MutableRef"

/** What is known of the exchange under way. */
export interface CurrentExchange {
  /**
   * A fresh UUID v4 for each request: it goes into every envelope, every error of the management API and the
   * `x-request-id` header. Contract: section 2.1.
   */
  readonly requestId: string
  /** The last four characters of the key ID, once that key is let in. */
  readonly keyIdSuffix: MutableRef.MutableRef<string | undefined>
  /** The path of the contract that the request is an instance of, where it is known without being looked for. */
  readonly route: MutableRef.MutableRef<string | undefined>
}

/** An exchange of which nothing is known yet. */
export const makeExchange = (requestId: string): CurrentExchange => ({
  requestId,
  keyIdSuffix: MutableRef.make<string | undefined>(undefined),
  route: MutableRef.make<string | undefined>(undefined)
})

/** The exchange under way, as the edge opened it. */
export const CurrentExchange = Context.Reference<CurrentExchange>("headgate-server/http/CurrentExchange", {
  defaultValue: () => makeExchange("00000000-0000-0000-0000-000000000000")
})
