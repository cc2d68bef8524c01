import { assert, describe, it } from "@effect/vitest"
import { type SampleCall, sampleCalls, samples } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { scripted, type Step } from "./support/ScriptedClient.ts"
import { layerPorts, management, secrets } from "./support/ports.ts"
import { baseUrl, drawing, get, ok } from "./support/timeline.ts"

const address = samples.pipe.get.params

/** Runs an operation for a minute and gives every metric, in a registry of its own. */
const measured = Effect.fnUntraced(function* (sample: SampleCall, ...steps: ReadonlyArray<Step>) {
  return yield* Effect.gen(function* () {
    const fiber = yield* sample.call.pipe(
      Effect.provide(layerPorts({ baseUrl, attemptTimeout: "3 seconds" })),
      Effect.provide(scripted(...steps).layer),
      drawing(1),
      Effect.exit,
      Effect.forkChild
    )
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(fiber)
    return yield* Metric.snapshot
  }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
})

const brief = (snapshot: ReadonlyArray<Metric.Metric.Snapshot>) =>
  snapshot.map(({ attributes, id, state }) => {
    const outcome = attributes?.["outcome"]
    const value = "sum" in state ? [state.count, state.sum] : "count" in state ? state.count : undefined
    return [id, outcome, value]
  })

describe("metrics", () => {
  for (const sample of sampleCalls) {
    it.effect(`${sample.name}: an attempt and its duration, by method, route and outcome`, () =>
      Effect.gen(function* () {
        const snapshot = yield* measured(sample, ok(sample))
        assert.sameDeepMembers(brief(snapshot), [
          ["headgate.client.attempts", "success", 1],
          ["headgate.client.duration", "success", [1, 0]]
        ])
        for (const { attributes } of snapshot) {
          assert.sameMembers(Object.keys(attributes ?? {}), ["method", "route", "outcome"])
          assert.strictEqual(attributes?.["method"], sample.operation.method)
        }
      })
    )
  }

  it.effect("every attempt, every retry by its reason, and how long it took in all", () =>
    Effect.gen(function* () {
      const snapshot = yield* measured(get, { status: 500 }, "silence", ok(get))
      assert.sameDeepMembers(brief(snapshot), [
        ["headgate.client.attempts", "ServerError", 1],
        ["headgate.client.attempts", "TimeoutError", 1],
        ["headgate.client.attempts", "success", 1],
        ["headgate.client.retries", "ServerError", 1],
        ["headgate.client.retries", "TimeoutError", 1],
        ["headgate.client.duration", "success", [1, 0.5 + 3 + 1]]
      ])
    })
  )

  it.effect("a call that is interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* get.call.pipe(
        Effect.provide(layerPorts({ baseUrl })),
        Effect.provide(scripted("silence").layer),
        Effect.forkChild
      )
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.interrupt(fiber)
      assert.sameDeepMembers(brief(yield* Metric.snapshot), [
        ["headgate.client.attempts", "interrupted", 1],
        ["headgate.client.duration", "interrupted", [1, 2]]
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("hold no id, no address and no secret", () =>
    Effect.gen(function* () {
      for (const sample of sampleCalls) {
        const shown = JSON.stringify(yield* measured(sample, { status: 400, body: `you sent ${secrets.keySecret}` }))
        const ids = [address.organizationId, address.pipeId, address.serviceId, management.keyId]
        for (const mark of [...ids, ...Object.values(secrets), "api.test"]) assert.isFalse(shown.includes(mark), mark)
        assert.include(shown, `"${sample.operation.path}"`)
      }
    })
  )
})
