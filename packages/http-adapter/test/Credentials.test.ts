import { assert, describe, it } from "@effect/vitest"
import { ApiKeys, Pipes, type PortError } from "@headgate/core"
import { sampleCallOf, sampleCalls, samples } from "@headgate/samples"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { type ApiKeyCredentials, type ConnectionOptions, HttpAdapter } from "../src/index.ts"
import { answering, scripted, type Step } from "./support/ScriptedClient.ts"

const address = samples.pipe.get.params
const { organizationId } = samples.key.create.params
const keyCreate = samples.key.create.payload

const baseUrl = "https://api.test"
const basic = (secret: string) => `Basic ${Buffer.from(`key-id:${secret}`).toString("base64")}`
const pair = (secret: string): ApiKeyCredentials => ({ keyId: "key-id", keySecret: Redacted.make(secret) })

/** A vault that gives `secret-1`, `secret-2`, ... and counts the fetches. */
const vault = (
  give: (nth: number) => Effect.Effect<ApiKeyCredentials, unknown> = (nth) => Effect.succeed(pair(`secret-${nth}`))
) => {
  const fetches = { count: 0 }
  return { fetches, credentials: Effect.suspend(() => give((fetches.count += 1))) }
}

/** A service that takes only this secret, and otherwise does as it would without credentials. */
const taking = (secret: () => string, good: unknown) =>
  answering(({ headers }) =>
    headers["authorization"] === basic(secret()) ? { status: 200, body: good } : { status: 401, body: "Unauthorized" }
  )

const over = (
  service: ReturnType<typeof scripted>,
  credentials: Effect.Effect<ApiKeyCredentials, unknown>,
  options: Partial<ConnectionOptions> = {}
) => HttpAdapter.layerManagement({ baseUrl, maxRetries: 0, ...options, credentials }).pipe(Layer.provide(service.layer))

const read = Pipes.use((pipes) => pipes.get(address))
const mint = ApiKeys.use((keys) => keys.create({ organizationId }, keyCreate))

describe("credentials from an effect", () => {
  it.effect("are fetched for the first call, and kept", () =>
    Effect.gen(function* () {
      const { fetches, credentials } = vault()
      const service = scripted({ status: 200, body: sampleCallOf("pipe.get").responseBody })
      yield* Effect.gen(function* () {
        assert.strictEqual(fetches.count, 0)
        yield* read
        yield* read
      }).pipe(Effect.provide(over(service, credentials)))
      assert.strictEqual(fetches.count, 1)
      assert.deepStrictEqual(
        service.seen.map(({ headers }) => headers["authorization"]),
        [basic("secret-1"), basic("secret-1")]
      )
    })
  )

  it.effect("are fetched once for calls that begin together", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { fetches, credentials } = vault((nth) => Effect.as(Deferred.await(gate), pair(`secret-${nth}`)))
      const service = scripted({ status: 200, body: sampleCallOf("pipe.get").responseBody })
      const fiber = yield* Effect.all([read, read, read], { concurrency: "unbounded" }).pipe(
        Effect.provide(over(service, credentials)),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(service.seen.length, 0)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fiber)
      assert.deepStrictEqual([fetches.count, service.seen.length], [1, 3])
    })
  )

  it.effect("are still fetched when the call that started the fetch is interrupted", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { fetches, credentials } = vault((nth) => Effect.as(Deferred.await(gate), pair(`secret-${nth}`)))
      const service = scripted({ status: 200, body: sampleCallOf("pipe.get").responseBody })
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(read)
        yield* TestClock.adjust("1 millis")
        const second = yield* Effect.forkChild(read)
        yield* TestClock.adjust("1 millis")
        yield* Fiber.interrupt(first)
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(second)
      }).pipe(Effect.provide(over(service, credentials)))
      assert.deepStrictEqual([fetches.count, service.seen.length], [1, 1])
    })
  )

  type Called = Effect.Effect<void, PortError, ApiKeys | Pipes>
  const called: ReadonlyArray<readonly [string, Called, unknown]> = [
    ["a read", Effect.asVoid(read), sampleCallOf("pipe.get").responseBody],
    ["a create", Effect.asVoid(mint), sampleCallOf("key.create").responseBody]
  ]
  for (const [name, call, good] of called) {
    it.effect(`are fetched anew after a 401, and ${name} is sent once more, which is no retry`, () =>
      Effect.gen(function* () {
        const { fetches, credentials } = vault()
        const service = taking(() => "secret-2", good)
        const exit = yield* Effect.exit(call).pipe(Effect.provide(over(service, credentials)))
        assert.isTrue(Exit.isSuccess(exit), String(exit))
        assert.strictEqual(fetches.count, 2)
        assert.deepStrictEqual(
          service.seen.map(({ headers }) => headers["authorization"]),
          [basic("secret-1"), basic("secret-2")]
        )
      })
    )

    it.effect(`${name} is sent twice at most, however often the service says 401`, () =>
      Effect.gen(function* () {
        const { fetches, credentials } = vault()
        const service = scripted({ status: 401 })
        const error = yield* Effect.flip(call).pipe(Effect.provide(over(service, credentials, { maxRetries: 5 })))
        assert.strictEqual(error._tag, "Unauthorized")
        assert.deepStrictEqual([error.attempts, error.status, service.seen.length, fetches.count], [2, 401, 2, 2])
      })
    )
  }

  it.effect("are fetched once per call, also when a retry lies between two 401", () =>
    Effect.gen(function* () {
      const { fetches, credentials } = vault()
      const steps: ReadonlyArray<Step> = [{ status: 401 }, { status: 500 }, { status: 401 }]
      const service = scripted(...steps)
      const fiber = yield* Effect.flip(read).pipe(
        Effect.provide(over(service, credentials, { maxRetries: 5 })),
        Effect.forkChild
      )
      yield* TestClock.adjust("1 minute")
      const error = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        service.seen.map(({ headers }) => headers["authorization"]),
        [basic("secret-1"), basic("secret-2"), basic("secret-2")]
      )
      assert.deepStrictEqual([error._tag, error.attempts, fetches.count], ["Unauthorized", 3, 2])
    })
  )

  it.effect("are fetched once for all calls that were rejected together", () =>
    Effect.gen(function* () {
      let valid = "secret-1"
      const { fetches, credentials } = vault((nth) => Effect.delay(Effect.succeed(pair(`secret-${nth}`)), "1 second"))
      const service = taking(() => valid, sampleCallOf("key.create").responseBody)
      const fiber = yield* Effect.gen(function* () {
        yield* mint
        valid = "secret-2"
        yield* Effect.all(
          Array.from({ length: 20 }, () => mint),
          { concurrency: "unbounded" }
        )
        yield* mint
      }).pipe(Effect.provide(over(service, credentials)), Effect.forkChild)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)
      assert.strictEqual(fetches.count, 2)
      assert.strictEqual(service.seen.length, 1 + 20 + 20 + 1)
    })
  )

  it.effect("are not shown again when the source gives the same", () =>
    Effect.gen(function* () {
      const { fetches, credentials } = vault(() => Effect.succeed(pair("secret-1")))
      const service = scripted({ status: 401, body: { error: "UNAUTHORIZED: expired" } })
      const error = yield* Effect.flip(mint).pipe(Effect.provide(over(service, credentials)))
      assert.deepStrictEqual([error._tag, error.attempts, fetches.count], ["Unauthorized", 1, 2])
      assert.include(error.message, "expired")
    })
  )

  it.effect("are bearer tokens on the observability API", () =>
    Effect.gen(function* () {
      let nth = 0
      const credentials = Effect.sync(() => ({ token: Redacted.make(`token-${(nth += 1)}`) }))
      for (const { call, name, responseBody } of sampleCalls.filter(
        ({ operation }) => operation.api === "observability"
      )) {
        nth = 0
        const service = answering(({ headers }) =>
          headers["authorization"] === "Bearer token-2" ? { status: 200, body: responseBody } : { status: 401 }
        )
        // The other API gets no request.
        const other = HttpAdapter.layerManagement({ baseUrl, ...pair("other") })
        yield* call.pipe(
          Effect.provide(Layer.merge(HttpAdapter.layerObservability({ baseUrl, credentials }), other)),
          Effect.provide(service.layer)
        )
        assert.strictEqual(service.seen.length, 2, name)
      }
    })
  )
})

describe("a source of credentials that fails", () => {
  class VaultError extends Error {
    override readonly name = "VaultError"
  }
  const failures: ReadonlyArray<readonly [string, Effect.Effect<ApiKeyCredentials, unknown>, string]> = [
    ["with a tagged error", Effect.fail({ _tag: "Sealed", token: "hunter2" }), "their source failed (Sealed)"],
    ["with an error", Effect.fail(new VaultError("bad token hunter2")), "their source failed (VaultError)"],
    ["as a promise that rejects", Effect.promise(() => Promise.reject(new VaultError("hunter2"))), "(VaultError)"],
    ["with a text", Effect.fail("hunter2 is wrong"), "their source failed (an error without a name)"],
    ["with invalid credentials", Effect.succeed(pair("")), "their source gave keySecret: Expected the secret"],
    ["by silence", Effect.never, "their source gave nothing within 5s"]
  ]
  for (const [title, source, says] of failures) {
    it.effect(`${title}: Unauthorized, nothing is sent, and its words are not shown`, () =>
      Effect.gen(function* () {
        const service = scripted("silence")
        const { fetches, credentials } = vault(() => source)
        const fiber = yield* Effect.flip(read).pipe(
          Effect.provide(over(service, credentials, { maxRetries: 2, attemptTimeout: "5 seconds" })),
          Effect.forkChild
        )
        yield* TestClock.adjust("1 hour")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error._tag, "Unauthorized")
        assert.include(error.message, says)
        assert.isFalse(JSON.stringify(error).includes("hunter2"))
        assert.deepStrictEqual([error.attempts, error.status, service.seen.length, fetches.count], [0, undefined, 0, 1])
      })
    )
  }

  it.effect("after a 401: the service's words and what failed, and the next call fetches again", () =>
    Effect.gen(function* () {
      const { fetches, credentials } = vault((nth) =>
        nth === 2 ? Effect.fail(new VaultError("hunter2")) : Effect.succeed(pair(`secret-${nth}`))
      )
      const service = taking(() => "secret-3", sampleCallOf("key.create").responseBody)
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(mint)
        assert.strictEqual(error._tag, "Unauthorized")
        assert.include(error.message, "credentials: Unauthorized")
        assert.include(error.message, "there are no fresh ones: their source failed (VaultError)")
        assert.deepStrictEqual([error.status, error.attempts], [401, 1])
        yield* mint
      }).pipe(Effect.provide(over(service, credentials)))
      assert.deepStrictEqual([fetches.count, service.seen.length], [3, 2])
    })
  )

  it.effect("by silence: the deadline ends it, too", () =>
    Effect.gen(function* () {
      const service = scripted("silence")
      const fiber = yield* Effect.flip(read).pipe(
        Effect.provide(over(service, Effect.never, { deadline: "2 seconds" })),
        Effect.forkChild
      )
      yield* TestClock.adjust("2 seconds")
      const error = yield* Fiber.join(fiber)
      assert.deepStrictEqual([error._tag, error.attempts], ["TimeoutError", 0])
      assert.strictEqual(error.message, "not sent within the deadline of 2s")
    })
  )
})
