import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { forgetSession, signIn } from "../../src/data/session.ts"
import { makeKeyCreation } from "../../src/pages/keys/creation.ts"

interface Sent {
  readonly key: string | null
  readonly body: unknown
}

let sent: Array<Sent>
let lost: number

beforeEach(() => {
  sent = []
  vi.stubGlobal("fetch", (_path: string, { body, headers }: { readonly body: string; readonly headers: Headers }) => {
    sent.push({ key: headers.get("idempotency-key"), body: JSON.parse(body) })
    return lost-- > 0
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(Response.json({ result: {} }))
  })
  signIn({ organizationId: "o", token: "hgs_1", expiresAt: 1, permissions: [] }, false)
})

afterEach(() => {
  forgetSession()
  vi.unstubAllGlobals()
})

const creationOfClock = () => {
  let hour = 10
  return makeKeyCreation("o", () => ({ name: "ci", expireAt: `2026-11-27T${hour++}:00:00Z` }))
}

it("sends the same request again after an answer that was lost, also when time has passed", async () => {
  lost = 1
  const creation = creationOfClock()
  await expect(creation.send()).rejects.toThrow("The server does not answer.")
  const { hashData, keySecret } = await creation.send()
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  expect(sent[0]?.body).toEqual({ name: "ci", expireAt: "2026-11-27T10:00:00Z", hashData })
  expect(JSON.stringify(sent)).not.toContain(keySecret)
})

it("is another creation once it was reset", async () => {
  lost = 0
  const creation = creationOfClock()
  const first = await creation.send()
  creation.reset()
  const second = await creation.send()
  expect(second.keyId).not.toBe(first.keyId)
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
  expect(sent[1]?.body).toMatchObject({ expireAt: "2026-11-27T11:00:00Z" })
})
