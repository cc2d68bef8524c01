import { randomText } from "./randomText.ts"

/** A new `Idempotency-Key`. Not of `crypto.randomUUID`, which browsers have over https and on localhost alone. */
export const newIdempotencyKey = (): string => randomText(22)

/** Gives the key of a request: one for all attempts at the same request, so that it happens once even if an answer is lost. */
export const makeKeyOfRequest = () => {
  let last = { body: "", key: "" }
  return (request: object): string => {
    const body = JSON.stringify(request)
    if (last.body !== body) last = { body, key: newIdempotencyKey() }
    return last.key
  }
}
