import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RequestLimits } from "../access/RequestLimits.ts"
import { Metrics } from "./Metrics.ts"

/** The limits, with every failed login counted in the metrics. */
export const countedLogins = <E, R>(limits: Layer.Layer<RequestLimits, E, R>) =>
  Layer.effect(
    RequestLimits,
    Effect.zipWith(RequestLimits, Metrics, (limits, { countFailedLogin }) => ({
      ...limits,
      afterFailedLogin: (address: string) => Effect.andThen(countFailedLogin, limits.afterFailedLogin(address))
    }))
  ).pipe(Layer.provide(limits))
