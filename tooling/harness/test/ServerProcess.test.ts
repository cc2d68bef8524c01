import { assert, describe, it } from "vitest"
import { complaintsIn } from "../src/ServerProcess.ts"

const announced = `imported snapshot.json: 6 added, 0 there already
headgate-server listening on http://127.0.0.1:40279
  store    memory (gone when the server ends)
  console  http://127.0.0.1:40279/console
  docs     http://127.0.0.1:40279/docs

`

describe("the complaints of a server", () => {
  it("are empty if it only announces its address", () => assert.strictEqual(complaintsIn(announced), ""))

  it("are what it writes afterwards", () => {
    const complaint = "timestamp=2026-11-21T20:00:00.000Z level=ERROR message=broken\n"
    assert.strictEqual(complaintsIn(announced + complaint), complaint)
  })

  it("are everything if it never listened", () => assert.strictEqual(complaintsIn("--port: no\n"), "--port: no\n"))
})
