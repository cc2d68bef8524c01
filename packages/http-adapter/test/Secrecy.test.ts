import { assert, describe, it } from "@effect/vitest"
import { Pipes } from "@headgate/core"
import { type SampleCall, samples } from "@headgate/samples"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import { inspect } from "node:util"
import {
  type ConnectionOptions,
  HttpAdapter,
  HttpPipes,
  ManagementConnection,
  ObservabilityConnection
} from "../src/index.ts"
import { testedCalls } from "./support/testedCalls.ts"
import { serve } from "./support/FaultServer.ts"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { faults } from "./support/badAnswers.ts"
import { clientNamed } from "./support/clients.ts"
import { layerPorts, management, observability, secrets } from "./support/ports.ts"

const address = samples.pipe.get.params

const newKeySecret = samples.key.create.success.keySecret ?? ""
const basicOf = (secret: string) => Buffer.from(`${management.keyId}:${secret}`).toString("base64")
const basic = basicOf(secrets.keySecret)
/** The secrets that a source of credentials gives, one after the other, and what it says when it fails. */
const rotated = ["SECRET-rotated-1a2b", "SECRET-rotated-3c4d", "SECRET-of-a-vault-5e6f"]
const marks = [...Object.values(secrets), newKeySecret, basic, ...rotated, ...rotated.map(basicOf)]

const assertSecret = (where: string, shown: string) => {
  for (const mark of marks) assert.isFalse(shown.includes(mark), `${where} shows ${mark}`)
}

const deep = (value: unknown) => inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null })
const hidden = (value: unknown) => inspect(value, { depth: null, showHidden: true, getters: true })

/** Keeps every span, and every line that a logger would write. */
const recorder = () => {
  const spans: Array<Tracer.Span> = []
  const lines: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make((options) => {
    lines.push(deep(options.message), Logger.formatJson.log(options), Logger.formatLogFmt.log(options))
  })
  const layer = Layer.mergeAll(
    Layer.succeed(Tracer.Tracer, tracer),
    Logger.layer([logger]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    // By default no header is recorded; here every one that we send.
    Layer.succeed(HttpClient.TracerHeaderFilter, (_, phase) => phase === "request")
  )
  return { layer, lines, spans }
}

const assertKeptSecret = (exit: Exit.Exit<unknown, unknown>, { lines, spans }: ReturnType<typeof recorder>) => {
  if (Exit.isSuccess(exit)) return assert.fail("expected a failure")
  const { cause } = exit
  assertSecret("pretty", Cause.pretty(cause))
  assertSecret("String", `${String(cause)} ${String(Cause.squash(cause))}`)
  assertSecret("inspect", deep(cause))
  assertSecret("inspect of everything", hidden(Cause.squash(cause)))
  assertSecret("JSON", JSON.stringify(cause) + JSON.stringify(Cause.squash(cause)))
  for (const error of Cause.prettyErrors(cause)) assertSecret("a pretty error", `${error.stack} ${deep(error)}`)
  assertSecret("a log line", lines.join("\n"))
  assert.isAbove(lines.length, 0)
  assert.isAbove(spans.length, 0)
  for (const { attributes, name, status } of spans) {
    if (name === "GET") assert.strictEqual(attributes.get("http.request.header.authorization"), "<redacted>")
    assertSecret("a span", deep([name, [...attributes]]))
    // What an exporter sees of a span's end. (That of the client's own span holds its request and response, redacted.)
    if (status._tag === "Ended" && Exit.isFailure(status.exit)) {
      const { cause } = status.exit
      assertSecret("a span's end", Cause.pretty(cause) + deep(cause) + JSON.stringify(cause))
    }
  }
}

// What each service was sent, and what it may therefore send back.
const echoTo = ({ operation }: SampleCall) =>
  operation.api === "observability" ? `you sent ${secrets.token}` : `you sent ${secrets.keySecret}, Basic ${basic}`

const stepsFor = (echo: string): Readonly<Record<string, Step>> => ({
  "a lost connection": "reset",
  silence: "silence",
  "an echo in plain text": { status: 401, body: echo, headers: { "x-request-id": echo } },
  "an echo in JSON": { status: 400, body: { error: `BAD_REQUEST: ${echo}`, message: echo, requestId: echo } },
  "an echo in a redirect": { status: 302, headers: { location: `https://x.test/${echo}` } },
  "an echo in a fault": { status: 503, body: `<html><title>${echo}</title></html>` },
  "an echo that does not decode": { status: 200, body: `{"echo":"${echo}` },
  "a new secret that does not decode": {
    status: 200,
    body: { status: 500, requestId: 7, result: { keySecret: newKeySecret, key: newKeySecret }, data: 7 }
  }
})

describe("no failure shows a secret", () => {
  for (const sample of testedCalls) {
    for (const [title, step] of Object.entries(stepsFor(echoTo(sample)))) {
      it.effect(`${sample.name}: ${title}`, () =>
        Effect.gen(function* () {
          const record = recorder()
          const fiber = yield* sample.call.pipe(
            Effect.tapCause((cause) => Effect.logError("failed", cause)),
            Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
            Effect.provide(scripted(step).layer),
            Effect.provide(record.layer),
            Effect.exit,
            Effect.forkChild
          )
          yield* TestClock.adjust("1 hour")
          assertKeptSecret(yield* Fiber.join(fiber), record)
        })
      )
    }

    const faultsOnTheWire = ["no HTTP", "a reset in the answer", "plain-text 401", "a redirect"] as const
    for (const [clientName, fault] of Arr.cartesian(["fetch", "undici"] as const, faultsOnTheWire)) {
      it.live(`${sample.name}: ${fault}, over ${clientName}`, () =>
        Effect.gen(function* () {
          const record = recorder()
          const server = yield* serve((_, response, nth) => faults[fault](response, { good: sample.responseBody, nth }))
          const exit = yield* sample.call.pipe(
            Effect.tapCause((cause) => Effect.logError("failed", cause)),
            Effect.provide(layerPorts({ baseUrl: server.baseUrl, maxRetries: 0 })),
            Effect.provide(clientNamed(clientName)),
            Effect.provide(record.layer),
            Effect.exit
          )
          assertKeptSecret(exit, record)
        })
      )
    }
  }
})

describe("no layer shows a secret", () => {
  /** Runs an operation twice, and checks the failure of the second, which the state of the layers may have caused. */
  const failing = Effect.fnUntraced(function* (
    sample: SampleCall,
    options: Partial<ConnectionOptions>,
    step: Step,
    source?: (nth: number) => Effect.Effect<string, unknown>
  ) {
    const record = recorder()
    let fetches = 0
    const secret = Effect.suspend(() => source?.((fetches += 1)) ?? Effect.succeed(secrets.keySecret))
    const fresh = Effect.map(secret, (secret) => ({
      keyId: management.keyId,
      keySecret: Redacted.make(secret),
      token: Redacted.make(secret)
    }))
    const layer =
      source === undefined
        ? layerPorts({ baseUrl: "https://api.test", ...options })
        : Layer.merge(
            HttpAdapter.layerManagement({ baseUrl: "https://api.test", ...options, credentials: fresh }),
            HttpAdapter.layerObservability({ baseUrl: "https://api.test", ...options, credentials: fresh })
          )
    const fiber = yield* Effect.gen(function* () {
      yield* Effect.ignore(sample.call)
      return yield* Effect.exit(sample.call)
    }).pipe(
      Effect.tap((exit) => (Exit.isFailure(exit) ? Effect.logError("failed", exit.cause) : Effect.void)),
      Effect.provide(layer),
      Effect.provide(scripted(step).layer),
      Effect.provide(record.layer),
      Effect.forkChild
    )
    yield* TestClock.adjust("1 hour")
    assertKeptSecret(yield* Fiber.join(fiber), record)
  })

  const rotating = (nth: number) => Effect.succeed(rotated[(nth - 1) % 2] ?? "")
  const vaultError = Object.assign(new Error(rotated[2], { cause: rotated[2] }), { token: rotated[2], _tag: "Vault" })

  for (const sample of testedCalls) {
    it.effect(`${sample.name}: credentials that rotate, those of before included`, () =>
      Effect.gen(function* () {
        // What these connections never had, they cannot know: an echo holds what was shown to the service.
        const shown = [...rotated.slice(0, 2), ...rotated.slice(0, 2).map(basicOf)].join(" ")
        const dashboards = sample.operation.api === "observability"
        const seen = dashboards ? rotated.slice(0, 2).join(" ") : shown
        yield* failing(sample, {}, { status: 401, body: { message: seen, error: seen, requestId: seen } }, rotating)
      })
    )

    for (const [title, source] of [
      ["fails", () => Effect.fail(vaultError)],
      ["dies", () => Effect.die(vaultError)],
      ["rejects", () => Effect.promise(() => Promise.reject(vaultError))],
      ["fails after a 401", (nth: number) => (nth % 2 === 0 ? Effect.fail(vaultError) : rotating(1))],
      ["gives invalid credentials", () => Effect.succeed("")]
    ] as const) {
      it.effect(`${sample.name}: a source of credentials that ${title}`, () =>
        failing(sample, {}, { status: 401, body: "Unauthorized" }, source)
      )
    }

    const layers: ReadonlyArray<readonly [string, Partial<ConnectionOptions>, Step]> = [
      ["an open circuit", { circuitBreaker: { failures: 1 } }, { status: 500, body: echoTo(sample) }],
      [
        "a rate limit",
        { rateLimit: { limit: 1, window: "1 hour" }, deadline: "1 minute" },
        { status: 400, body: echoTo(sample) }
      ],
      ["a concurrency limit", { maxConcurrency: 1 }, { status: 500, body: echoTo(sample) }]
    ]
    for (const [title, options, step] of layers) {
      it.effect(`${sample.name}: ${title}`, () => failing(sample, options, step))
    }
  }
})

describe("no service shows a secret", () => {
  for (const sample of testedCalls) {
    it.effect(`${sample.name}: also where it was wiped once the layer stood`, () =>
      Effect.gen(function* () {
        const keySecret = Redacted.make(secrets.keySecret)
        const token = Redacted.make(secrets.token)
        const wiped = Effect.sync(() => [keySecret, token].forEach(Redacted.wipeUnsafe))
        const layer = Layer.merge(
          HttpAdapter.layerManagement({ baseUrl: "https://api.test", keyId: management.keyId, keySecret }),
          HttpAdapter.layerObservability({ baseUrl: "https://api.test", token })
        )
        const error = yield* Effect.andThen(wiped, sample.call).pipe(
          Effect.provide(layer),
          Effect.provide(scripted({ status: 400, body: echoTo(sample) }).layer),
          Effect.flip
        )
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.include(error.message, "<redacted>")
        assertSecret("its message", error.message)
      })
    )
  }

  it.effect("nor does the failure of a layer", () =>
    Effect.gen(function* () {
      const client = scripted("silence").layer
      const options = { baseUrl: `https://key-id:${secrets.keySecret}@api.test`, ...management, ...observability }
      const token = Redacted.make(`${secrets.token} ${secrets.token}`)
      const badUrl = Layer.provide(HttpAdapter.layerManagement(options), client)
      const badToken = Layer.provide(
        HttpAdapter.layerObservability({ ...options, baseUrl: "https://api.test", token }),
        client
      )
      for (const build of [Effect.asVoid(Layer.build(badUrl)), Effect.asVoid(Layer.build(badToken))]) {
        const exit = yield* Effect.exit(build)
        assert.isTrue(Exit.isFailure(exit))
        assertSecret("a layer", deep(exit) + JSON.stringify(exit))
      }
    })
  )

  it.effect("even when it is looked into", () =>
    Effect.gen(function* () {
      const options = { baseUrl: "https://api.test", ...management, ...observability }
      const connections = Layer.merge(ManagementConnection.layer(options), ObservabilityConnection.layer(options))
      const shown = yield* Effect.gen(function* () {
        return hidden([yield* ManagementConnection, yield* ObservabilityConnection])
      }).pipe(Effect.provide(connections), Effect.provide(scripted("silence").layer))
      assertSecret("a connection", shown)

      const credentials = Effect.succeed({ keyId: management.keyId, keySecret: Redacted.make(rotated[0] ?? "") })
      const service = scripted({ status: 401 })
      const rotating = ManagementConnection.layer({ baseUrl: "https://api.test", credentials })
      const used = yield* Effect.gen(function* () {
        const connection = yield* ManagementConnection
        const read = Pipes.use((pipes) => pipes.get(address))
        yield* Effect.ignore(read).pipe(Effect.provide(HttpPipes.layer))
        return hidden(connection)
      }).pipe(Effect.provide(rotating), Effect.provide(service.layer))
      assert.strictEqual(service.seen[0]?.headers["authorization"], `Basic ${basicOf(rotated[0] ?? "")}`)
      assertSecret("a connection with a source", used)
    })
  )
})
