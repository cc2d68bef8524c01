import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { UndiciHttpClient } from "../src/undici/index.ts"
import { certificates, issue, serveResets, serveTls } from "./support/certificates.ts"
import { everyClient, withoutPauses } from "./support/clients.ts"
import { serve } from "./support/FaultServer.ts"
import { layerPorts, operations, type OperationUnderTest } from "./support/operations.ts"
import { get } from "./support/timeline.ts"

/** How an operation fails at an address that it cannot reach. The deadline only ends what hangs. */
const failureOf = (operation: OperationUnderTest, baseUrl: string) =>
  operation.run.pipe(Effect.provide(layerPorts({ baseUrl, deadline: "50 seconds" })), withoutPauses, Effect.flip)

for (const [clientName, client] of everyClient) {
  describe(`over ${clientName}`, () => {
    for (const operation of operations) {
      const distrusted: ReadonlyArray<readonly [keyof typeof certificates, RegExp]> = [
        ["selfSigned", /self-signed certificate/],
        ["expired", /self-signed certificate|certificate has expired/],
        ["wrongHost", /self-signed certificate|does not match/]
      ]
      for (const [name, words] of distrusted) {
        it.live(`${operation.name}: a certificate that is ${name}: once, and nothing was sent`, () =>
          Effect.gen(function* () {
            const { counts, port } = yield* serveTls(yield* issue(certificates[name]), operation.good)
            const error = yield* failureOf(operation, `https://localhost:${port}`).pipe(Effect.provide(client))
            assert.strictEqual(error._tag, "TransportFault")
            assert.match(error.message, words)
            assert.include(error.message, "nothing was sent, since its certificate is not to be trusted")
            assert.deepStrictEqual([error.attempts, error.status, counts.requests], [1, undefined, 0])
          })
        )
      }

      const attempts = operation.creates ? 1 : 3
      it.live(`${operation.name}: plain http where TLS is expected`, () =>
        Effect.gen(function* () {
          const server = yield* serve(() => {})
          const error = yield* failureOf(operation, server.baseUrl.replace("http:", "https:")).pipe(
            Effect.provide(client)
          )
          assert.deepStrictEqual([error._tag, error.attempts, server.requests()], ["TransportFault", attempts, 0])
        })
      )

      it.live(`${operation.name}: a name without an address`, () =>
        Effect.gen(function* () {
          const error = yield* failureOf(operation, "https://headgate.invalid").pipe(Effect.provide(client))
          assert.strictEqual(error._tag, "TransportFault")
          assert.match(error.message, /ENOTFOUND|EAI_AGAIN/)
          assert.isTrue(error.message.endsWith("; nothing was sent"), error.message)
          assert.strictEqual(error.attempts, attempts)
        })
      )

      it.live(`${operation.name}: a refused connection`, () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* Effect.scoped(serve(() => {}))
          const error = yield* failureOf(operation, baseUrl).pipe(Effect.provide(client))
          assert.strictEqual(error._tag, "TransportFault")
          assert.include(error.message, "ECONNREFUSED")
          assert.isTrue(error.message.endsWith("; nothing was sent"), error.message)
          assert.strictEqual(error.attempts, attempts)
        })
      )

      it.live(`${operation.name}: a reset before the request is read`, () =>
        Effect.gen(function* () {
          const { counts, port } = yield* serveResets
          const error = yield* failureOf(operation, `http://localhost:${port}`).pipe(Effect.provide(client))
          assert.deepStrictEqual([error._tag, error.attempts], ["TransportFault", attempts])
          // Nobody knows how far it came.
          assert.strictEqual(error.message.includes("it may have taken effect"), operation.creates)
          assert.strictEqual(counts.connections, attempts)
        })
      )
    }
  })
}

describe("a certificate of an authority that undici is told to trust", () => {
  for (const [name, words] of [
    ["selfSigned", undefined],
    ["expired", /certificate has expired/],
    ["wrongHost", /does not match certificate's altnames/]
  ] as const) {
    it.live(name, () =>
      Effect.gen(function* () {
        const pem = yield* issue(certificates[name])
        const { counts, port } = yield* serveTls(pem, get.good)
        const client = UndiciHttpClient.layerOptions({ connect: { ca: pem.cert } })
        const exit = yield* failureOf(get, `https://localhost:${port}`).pipe(Effect.provide(client), Effect.exit)
        if (words === undefined) return assert.deepStrictEqual([exit._tag, counts.requests], ["Failure", 1])
        const error = yield* exit
        assert.match(error.message, words)
        assert.deepStrictEqual([error.attempts, counts.requests], [1, 0])
      })
    )
  }
})
