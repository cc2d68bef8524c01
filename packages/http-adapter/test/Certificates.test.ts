import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { UndiciHttpClient } from "../src/undici/index.ts"
import { serve } from "./support/FaultServer.ts"
import { certificate } from "./support/certificates.ts"
import { layerPorts } from "./support/ports.ts"
import { get } from "./support/timeline.ts"

// That no certificate of an unknown authority is trusted, is in the fault matrix.
describe("a certificate of an authority that undici is told to trust", () => {
  for (const [kind, words] of [
    ["selfSigned", undefined],
    ["expired", /certificate has expired/],
    ["wrongHost", /does not match certificate's altnames/]
  ] as const) {
    it.live(kind, () =>
      Effect.gen(function* () {
        const pem = yield* certificate(kind)
        const { baseUrl, connections, requests } = yield* serve(
          (_, response) => void response.end(JSON.stringify(get.responseBody)),
          pem
        )
        const call = get.call.pipe(
          Effect.provide(layerPorts({ baseUrl })),
          Effect.provide(UndiciHttpClient.layerOptions({ connect: { ca: pem.cert } }))
        )
        if (words === undefined) {
          yield* call
          return assert.strictEqual(requests(), 1)
        }
        const error = yield* Effect.flip(call)
        assert.match(error.message, words)
        assert.deepStrictEqual([error.attempts, connections(), requests()], [1, 1, 0])
      })
    )
  }
})
