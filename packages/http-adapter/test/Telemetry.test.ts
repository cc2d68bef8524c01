import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import * as TestClock from "effect/testing/TestClock"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts, operations } from "./support/operations.ts"

describe("the spans of a call", () => {
  for (const operation of operations) {
    it.effect(`${operation.name}: one for the call, one for each attempt`, () =>
      Effect.gen(function* () {
        const spans: Array<Tracer.Span> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
        const limited = { status: 429, headers: { "retry-after": "1" } }
        const fiber = yield* operation.run.pipe(
          Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
          Effect.provide(scripted(limited, { status: 200, body: operation.good }).layer),
          Effect.withTracer(tracer),
          Effect.forkChild
        )
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(fiber)

        const names: Record<string, string> = {
          "pipes.get": "HttpPipes.get",
          "pipes.delete": "HttpPipes.delete",
          "keys.create": "HttpApiKeys.create",
          "dashboards.create": "HttpDashboards.create",
          "dashboards.list": "HttpDashboards.list"
        }
        assert.deepStrictEqual(
          spans.map(({ name }) => name),
          [names[operation.name], operation.method, operation.method]
        )
        const [call, first, second] = spans
        assert.strictEqual(call?.attributes.get("headgate.attempts"), 2)
        assert.strictEqual(call?.attributes.get("http.response.status_code"), 200)
        assert.strictEqual(first?.attributes.get("http.response.status_code"), 429)
        assert.strictEqual(second?.attributes.get("http.response.status_code"), 200)
      })
    )
  }
})
