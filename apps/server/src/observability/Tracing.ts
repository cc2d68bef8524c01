import type { Api } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as FindMyWay from "effect/http/FindMyWay"

/** Traces, where an endpoint is given. */
export const traces = (
  endpoint: Option.Option<URL>,
  api: Api,
  routerConfig: Partial<FindMyWay.RouterConfig>
): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.empty,
    onSome: (url) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./traces.ts")),
          ({ exportedTraces }) => exportedTraces(url, api, routerConfig)
        )
      )
  })
