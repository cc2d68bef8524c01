import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { call, memoryServer, ServerUrl } from "./support/liveServer.ts"
import { openConnection } from "./support/rawConnection.ts"
import { as, firstPipe, pipePath, world } from "./support/world.ts"

const authorization = as("admin")

layer(memoryServer(world), { excludeTestServices: true })("a request without its whole body", (it) => {
  it.effect("has no effect, though its operation takes no body", () =>
    Effect.gen(function* () {
      const url = yield* ServerUrl
      const head = [`DELETE ${pipePath(firstPipe)} HTTP/1.1`, "host: localhost", `authorization: ${authorization}`]
      yield* Effect.promise(async () => {
        for (const [length, body] of [
          ["content-length: 10", "ab"],
          ["transfer-encoding: chunked", "5\r\nab"],
          ["transfer-encoding: chunked", "not a chunk\r\n"]
        ]) {
          const connection = await openConnection(url)
          connection.send([...head, length, "", body].join("\r\n"))
          // An answer, or none: then the client hangs up.
          await Promise.race([connection.closed, new Promise((resolve) => setTimeout(resolve, 200))])
          connection.destroy()
        }
      })
      assert.strictEqual((yield* call(pipePath(firstPipe), { authorization })).status, 200)
    })
  )
})
