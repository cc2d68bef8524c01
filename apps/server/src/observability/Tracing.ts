import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** Traces, where an endpoint is given. */
export const traces = (endpoint: Option.Option<URL>): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.empty,
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./traces.ts")),
          ({ exportedTraces }) => exportedTraces(url)
        )
      )
  })
