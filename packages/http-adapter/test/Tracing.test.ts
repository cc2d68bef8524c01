import { assert, describe, it } from "@effect/vitest"
import { type SampleCall } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { testedCalls } from "./support/testedCalls.ts"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"

/** The `traceparent` that the service is sent. */
const traceparent = Effect.fnUntraced(function* (
  { call, responseBody }: SampleCall,
  within: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const service = scripted({ status: 200, body: responseBody })
  yield* within(call).pipe(Effect.provide(layerPorts({ baseUrl: "https://api.test" })), Effect.provide(service.layer))
  return service.seen[0]?.headers["traceparent"]
})

describe("the client span of an attempt", () => {
  for (const sample of testedCalls) {
    it.effect(`${sample.name}: is not made without a tracer or a trace`, () =>
      Effect.gen(function* () {
        assert.isUndefined(yield* traceparent(sample, (call) => call))
      })
    )

    it.effect(`${sample.name}: is made within a span, within a trace from elsewhere, and for a tracer`, () =>
      Effect.gen(function* () {
        assert.isDefined(yield* traceparent(sample, Effect.withSpan("around")))
        const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
        assert.isDefined(yield* traceparent(sample, Effect.withTracer(tracer)))
        const elsewhere = Tracer.externalSpan({ traceId, spanId: "b7ad6b7169203331" })
        assert.include(yield* traceparent(sample, Effect.withParentSpan(elsewhere)), traceId)
      })
    )
  }
})
