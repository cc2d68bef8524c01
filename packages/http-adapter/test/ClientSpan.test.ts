import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts, operations, type OperationUnderTest } from "./support/operations.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"

/** The `traceparent` that the service is sent. */
const traceparent = Effect.fnUntraced(function* (
  { good, run }: OperationUnderTest,
  within: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const service = scripted({ status: 200, body: good })
  yield* within(run).pipe(Effect.provide(layerPorts({ baseUrl: "https://api.test" })), Effect.provide(service.layer))
  return service.seen[0]?.headers["traceparent"]
})

describe("the client span of an attempt", () => {
  for (const operation of operations) {
    it.effect(`${operation.name}: is not made where nobody would see it`, () =>
      Effect.gen(function* () {
        assert.isUndefined(yield* traceparent(operation, (call) => call))
      })
    )

    it.effect(`${operation.name}: is made within a span, within a trace from elsewhere, and for a tracer`, () =>
      Effect.gen(function* () {
        assert.isDefined(yield* traceparent(operation, Effect.withSpan("around")))
        const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
        assert.isDefined(yield* traceparent(operation, Effect.withTracer(tracer)))
        const elsewhere = Tracer.externalSpan({ traceId, spanId: "b7ad6b7169203331" })
        assert.include(yield* traceparent(operation, Effect.withParentSpan(elsewhere)), traceId)
      })
    )
  }
})
