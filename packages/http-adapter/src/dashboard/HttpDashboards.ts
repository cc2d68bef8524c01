import { Dashboards } from "@headgate/core/dashboard"
import { dashboardGroup } from "@headgate/http-contract/dashboard"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ObservabilityConnection } from "../Connection.ts"
import { operation } from "../Operation.ts"

const layer: Layer.Layer<Dashboards, never, ObservabilityConnection> = Layer.effect(
  Dashboards,
  Effect.gen(function* () {
    const connection = yield* ObservabilityConnection
    const create = operation(connection, dashboardGroup.endpoints.create)
    const list = operation(connection, dashboardGroup.endpoints.list)

    return Dashboards.of({
      create: Effect.fn("HttpDashboards.create")(function* (payload) {
        const { data } = yield* create({ payload })
        return data
      }),
      list: Effect.suspend(() => list({})).pipe(
        Effect.map(({ data }) => data),
        Effect.withSpan("HttpDashboards.list")
      )
    })
  })
)

/** The `Dashboards` port over the observability API, for the organization that the bearer token stands for. */
export const HttpDashboards = { layer }
