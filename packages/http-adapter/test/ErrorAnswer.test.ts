import { assert, describe, it } from "@effect/vitest"
import * as Headers from "effect/http/Headers"
import { readErrorAnswer } from "../src/ErrorAnswer.ts"

const asIs = (text: string) => text
const read = (body: object, headers: Record<string, string> = {}) =>
  readErrorAnswer({ status: 400, headers: Headers.fromInput(headers), body: JSON.stringify(body) }, asIs)

describe("the message of an error answer", () => {
  const messages = [
    [{ error: "first", message: "second" }, "first"],
    [{ error: "", message: "second" }, "second"],
    [{ error: " \t", message: "second" }, "second"],
    [{ error: 7, message: null, detail: "third" }, "third"],
    [{ error: "", message: " ", detail: {} }, undefined]
  ] as const
  for (const [body, expected] of messages) {
    it(`of ${JSON.stringify(body)} is ${expected}`, () => {
      assert.strictEqual(read(body).detail, expected)
    })
  }

  it("has the request id of the body, or else of the header, unless it is blank", () => {
    assert.strictEqual(read({ requestId: "r1" }, { "x-request-id": "r2" }).requestId, "r1")
    assert.strictEqual(read({ requestId: "  " }, { "x-request-id": "r2" }).requestId, "r2")
    assert.notProperty(read({ requestId: "" }, { "x-request-id": "" }), "requestId")
  })
})
