// Every option of every layer with invalid values, as a caller without a compiler may pass them.
import { assert, describe, it } from "@effect/vitest"
import type { InvalidRequest } from "@headgate/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import {
  CallOptions,
  HttpAdapter,
  ManagementConnection,
  type ManagementOptions,
  ObservabilityConnection,
  type ObservabilityOptions
} from "../src/index.ts"
import { testedCalls } from "./support/testedCalls.ts"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts, management, observability } from "./support/ports.ts"
import { get } from "./support/timeline.ts"

/** A value that no message may repeat: it may be a secret in the wrong place. */
const mark = "MARK-5d41"

const baseUrl = "https://api.test"
const layers = {
  "HttpAdapter.layerManagement": { make: HttpAdapter.layerManagement, given: { baseUrl, ...management } },
  "ManagementConnection.layer": { make: ManagementConnection.layer, given: { baseUrl, ...management } },
  "HttpAdapter.layerObservability": { make: HttpAdapter.layerObservability, given: { baseUrl, ...observability } },
  "ObservabilityConnection.layer": { make: ObservabilityConnection.layer, given: { baseUrl, ...observability } }
}
type Name = keyof typeof layers
const names = Object.keys(layers) as ReadonlyArray<Name>
const ofManagement = names.filter((name) => name.includes("anagement"))
const ofObservability = names.filter((name) => !name.includes("anagement"))

/** Builds a layer synchronously, so that a layer that waits or dies fails the test. */
const build = (name: Name, options: unknown): Exit.Exit<unknown, InvalidRequest> => {
  // The cast passes what a caller without a compiler may pass.
  const make = layers[name].make as (options: unknown) => Layer.Layer<unknown, InvalidRequest>
  const layer = Layer.suspend(() => make(options)).pipe(Layer.provide(scripted("silence").layer))
  return Effect.runSyncExit(Effect.scoped(Layer.build(layer)))
}

const wiped = Redacted.make(mark)
Redacted.wipeUnsafe(wiped)

const count = /^Expected a whole number of at least 1$/
const retries = /^Expected a whole number, 0 or more$/
const flag = /^Expected true or false$/
const time = /^Expected a duration above nothing, such as "30 seconds"$/
const timeout = /^Expected a duration above nothing, such as "30 seconds", or "Infinity"$/

const counts = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, "8", mark, null, {}]
const times = [0, -1, Number.NaN, "-Infinity", "soon", mark, "", "30", "-5 seconds", null, {}, true, [1], { second: 5 }]

interface Row {
  /** Of an option that is a group of options, which one. */
  readonly at?: string
  readonly values: ReadonlyArray<unknown>
  readonly says: RegExp
}

type NameOf<Options> = Options extends unknown ? keyof Options : never

/** Every option: a new one does not compile until it is here. */
const rows: Readonly<Record<NameOf<ManagementOptions | ObservabilityOptions>, ReadonlyArray<Row>>> = {
  baseUrl: [
    {
      values: [undefined, null, 5, {}, "", mark, "api.test", ["https://api.test"]],
      says: /^Expected a URL such as https:\/\/api\.example\.com$/
    },
    { values: [`http://${mark}.test`, "http://10.0.0.1"], says: /^Expected https: plain http / },
    { values: [`ftp://${mark}.test`], says: /^Expected a URL that begins with https:/ },
    {
      values: [`https://${mark}@api.test`, `https://api.test?${mark}`, new URL(`https://api.test#${mark}`)],
      says: /^Expected an origin and a path, without credentials, query or fragment$/
    }
  ],
  userAgent: [{ values: ["", "größe", `a\r\n${mark}`, 5, null, {}], says: /^Expected printable ASCII / }],
  allowInsecureHttp: [{ values: ["false", mark, 0, 1, null], says: flag }],
  maxRetries: [{ values: [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "2", mark, null, {}], says: retries }],
  retryCreates: [{ values: ["false", mark, 0, null], says: flag }],
  attemptTimeout: [{ values: times, says: timeout }],
  deadline: [{ values: times, says: timeout }],
  maxResponseBytes: [{ values: counts, says: count }],
  onUnreadable: [{ values: ["ignore", mark, true, null, {}], says: /^Expected "warn" or "fail"$/ }],
  maxConcurrency: [{ values: counts, says: count }],
  rateLimit: [
    { values: [10, true, null, mark], says: /^Expected \{ limit, window \}$/ },
    { at: "limit", values: [undefined, ...counts], says: count },
    { at: "window", values: [undefined, ...times, "Infinity"], says: time }
  ],
  circuitBreaker: [
    { values: [5, true, null, mark], says: /^Expected \{ failures, openDuration \}, or \{\} for the defaults$/ },
    { at: "failures", values: counts, says: count },
    { at: "openDuration", values: [...times, "Infinity"], says: time }
  ],
  keyId: [
    { values: [undefined, null, 5, "", `a:${mark}`, {}], says: /^Expected the ID of an API key, without a colon$/ }
  ],
  keySecret: [
    {
      values: [undefined, null, mark, "", 5, Redacted.make(undefined), Redacted.make(5), wiped],
      says: /^Expected the secret of an API key, wrapped by Redacted\.make$/
    },
    { values: [Redacted.make("")], says: /^Expected the secret of an API key, got nothing$/ }
  ],
  token: [
    {
      values: [undefined, null, mark, 5, Redacted.make(undefined), wiped],
      says: /^Expected a bearer token, wrapped by Redacted\.make$/
    },
    {
      values: [Redacted.make(""), Redacted.make(`${mark} b`), Redacted.make(`${mark}\n`)],
      says: /^Expected a bearer token: visible ASCII characters without spaces$/
    }
  ],
  credentials: [
    {
      values: [null, 5, mark, {}, Promise.resolve(observability), () => management],
      says: /^Expected an effect that gives (keyId and keySecret|token)$/
    },
    {
      values: [Effect.succeed({ ...management, ...observability })],
      says: /^Expected (keyId and keySecret|token) or credentials, not both$/
    }
  ],
  dialect: [
    {
      values: ["clickhouse", mark, null, 5, {}, { name: "neutral" }],
      says: /^Expected a dialect of @headgate\/http-contract: neutral or clickhouse$/
    }
  ]
}

const namesWith = (option: string): ReadonlyArray<Name> =>
  option === "token" ? ofObservability : ["keyId", "keySecret", "dialect"].includes(option) ? ofManagement : names

/** Good options with another value at a path. */
const withValue = (name: Name, option: string, value: unknown): unknown => {
  const { given } = layers[name]
  const [first = "", second] = option.split(".")
  const whole = first === "rateLimit" ? { limit: 1, window: "1 second" } : {}
  return { ...given, [first]: second === undefined ? value : { ...whole, [second]: value } }
}

const assertRejected = (exit: Exit.Exit<unknown, InvalidRequest>, option: string, says: RegExp) => {
  if (Exit.isSuccess(exit)) return assert.fail("expected it to be rejected")
  const shown = `${Cause.pretty(exit.cause)} ${inspect(exit, { depth: null })} ${JSON.stringify(exit)}`
  assert.isFalse(shown.includes(mark), shown)
  const error = Effect.runSync(Effect.flip(exit))
  assert.deepStrictEqual([error._tag, error.issues.map(({ path }) => path)], ["InvalidRequest", [option]])
  assert.match(error.issues[0]?.message ?? "", says)
  assert.strictEqual(error.message, `${option}: ${error.issues[0]?.message}`)
}

describe("an invalid option is rejected by its name when the layer is built", () => {
  for (const [option, table] of Object.entries(rows)) {
    for (const { at, says, values } of table) {
      const path = at === undefined ? option : `${option}.${at}`
      it.each(values.map((value) => [inspect(value, { breakLength: Infinity }), value]))(`${path}: %s`, (_, value) => {
        for (const name of namesWith(option)) {
          const exit = build(name, withValue(name, path, value))
          assert.isTrue(Exit.isFailure(exit), name)
          assertRejected(exit, path, says)
        }
      })
    }
  }

  it.each([[undefined], [null], [mark], [5], [[]]])("no options at all: %s", (options) => {
    for (const name of names) {
      const exit = build(name, options)
      assert.isTrue(Exit.isFailure(exit), name)
      assertRejected(exit, "options", /^Expected \{ baseUrl, (keyId, keySecret|token) \}$/)
    }
  })
})

describe("an invalid option of a call is rejected by its name with the call", () => {
  const values: Readonly<Record<keyof CallOptions, ReadonlyArray<unknown>>> = {
    maxRetries: [-1, "2", null],
    retryCreates: ["false", null],
    attemptTimeout: times,
    deadline: times
  }
  const policies = Object.entries(values).flatMap(([option, values]) => values.map((value) => ({ [option]: value })))
  for (const call of [null, mark, 5, ...policies]) {
    it.effect(inspect(call), () =>
      Effect.gen(function* () {
        const service = scripted("silence")
        for (const { call: effect } of testedCalls) {
          const error = yield* effect.pipe(
            // The cast passes what a caller without a compiler may pass.
            Effect.provideService(CallOptions, call as CallOptions),
            Effect.provide(layerPorts({ baseUrl })),
            Effect.provide(service.layer),
            Effect.flip
          )
          const [path = "CallOptions"] = Object.keys(Object(typeof call === "object" ? call : {}) ?? {})
          assert.deepStrictEqual([error._tag, error.attempts], ["InvalidRequest", 0])
          assert.isTrue(error.message.startsWith(`${path}: Expected `), error.message)
          assert.isFalse(error.message.includes(mark))
        }
        assert.deepStrictEqual(service.seen, [])
      })
    )
  }
})

describe("a source that gives no credentials ends the call as Unauthorized", () => {
  const given: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "credentials: Expected { keyId, keySecret }"],
    [null, "credentials: Expected { keyId, keySecret }"],
    [mark, "credentials: Expected { keyId, keySecret }"],
    [{}, "keyId: Expected the ID of an API key"],
    [{ keyId: "a", keySecret: mark }, "keySecret: Expected the secret of an API key, wrapped by Redacted.make"],
    [{ keyId: "a", keySecret: wiped }, "keySecret: Expected the secret of an API key, wrapped by Redacted.make"]
  ]
  for (const [value, says] of given) {
    it.effect(inspect(value), () =>
      Effect.gen(function* () {
        const service = scripted("silence")
        // The cast gives what a source without a compiler may give.
        const credentials = Effect.succeed(value as typeof management)
        const error = yield* get.call.pipe(
          Effect.provide(HttpAdapter.layerManagement({ baseUrl, credentials })),
          Effect.provide(layerPorts({ baseUrl })),
          Effect.provide(service.layer),
          Effect.flip
        )
        assert.deepStrictEqual([error._tag, error.attempts, service.seen.length], ["Unauthorized", 0, 0])
        assert.include(error.message, `their source gave ${says}`)
        assert.isFalse(error.message.includes(mark))
      })
    )
  }
})
