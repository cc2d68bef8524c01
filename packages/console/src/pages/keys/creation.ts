import { calls } from "../../data/calls.ts"
import { newIdempotencyKey } from "../../data/idempotencyKey.ts"
import { type Credentials, makeCredentials } from "./credentials.ts"
import type { KeyRequest } from "./keyModel.ts"

interface Attempt {
  readonly credentials: Credentials
  readonly request: Parameters<typeof calls.key.create>[0]
  readonly idempotencyKey: string
}

const attemptOf = async (organizationId: string, key: KeyRequest): Promise<Attempt> => {
  const credentials = await makeCredentials()
  return {
    credentials,
    request: { organizationId, ...key, hashData: credentials.hashData },
    idempotencyKey: newIdempotencyKey()
  }
}

/** Creates a key, and gives its credentials. */
export interface KeyCreation {
  readonly send: () => Promise<Credentials>
  /** Forgets the request: the next one is another creation. */
  readonly reset: () => void
}

/**
 * Creates a key of the request that `keyOf` makes at the first attempt. Each further attempt sends the same request: an expiry that is
 * reckoned from now would make another one of it, which the server refuses under the same Idempotency-Key.
 */
export const makeKeyCreation = (organizationId: string, keyOf: () => KeyRequest): KeyCreation => {
  let attempt: Promise<Attempt> | undefined
  return {
    send: async () => {
      attempt ??= attemptOf(organizationId, keyOf())
      const { credentials, idempotencyKey, request } = await attempt
      await calls.key.create(request, { idempotencyKey })
      return credentials
    },
    reset: () => {
      attempt = undefined
    }
  }
}
