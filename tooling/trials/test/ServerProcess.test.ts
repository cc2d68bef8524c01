import { assert, describe, it } from "vitest"
import { complaintsIn } from "../src/server/ServerProcess.ts"

const announced = `imported snapshot.json: 6 added, 0 there already
headgate-server listening on http://127.0.0.1:40279
  store    memory (gone when the server ends)
  docs     http://127.0.0.1:40279/docs

`

describe("what a server complains of", () => {
  it("is nothing where it only says that it listens", () => assert.strictEqual(complaintsIn(announced), ""))

  it("is what it says afterwards", () => {
    const complaint = "timestamp=2026-11-21T20:00:00.000Z level=ERROR message=broken\n"
    assert.strictEqual(complaintsIn(announced + complaint), complaint)
  })

  it("is all of it where it never listened", () => assert.strictEqual(complaintsIn("--port: no\n"), "--port: no\n"))
})
