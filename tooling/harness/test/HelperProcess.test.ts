import { assert, it } from "vitest"
import { startHelper } from "../src/HelperProcess.ts"

const helper = new URL("largeLastMessage.ts", import.meta.url)

it("a last message arrives whole, however large, also behind the end of the process", async () => {
  for (const length of [1, 2_000_000]) {
    const message = await startHelper(helper, [String(length)]).next()
    assert.lengthOf(message as ReadonlyArray<number>, length)
  }
})

it("a process that ends without a message is an error", async () => {
  const { next } = startHelper(helper, ["none"])
  const error = await next().catch((error: unknown) => error)
  assert.match(String(error), /the process ended with 0 and no answer/)
})
