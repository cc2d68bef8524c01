import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Metrics } from "../telemetry/Metrics.ts"
import { Primary } from "./Primary.ts"

/** The metrics of a worker, which tell those of all: whichever of them is asked. */
export const metricsOfAll = <E, R>(own: Layer.Layer<Metrics, E, R>) =>
  Layer.effect(
    Metrics,
    Effect.gen(function* () {
      const metrics = yield* Metrics
      const primary = yield* Primary
      yield* primary.onTellMetrics(metrics.text)
      return {
        ...metrics,
        // Some figures are better than none.
        text: primary.ask({ _tag: "Metrics" }).pipe(
          Effect.map(({ text }) => text),
          Effect.catch(() => metrics.text)
        )
      }
    })
  ).pipe(Layer.provide(own))
