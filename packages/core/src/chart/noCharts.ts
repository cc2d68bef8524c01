import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FailedDependency } from "../error/CallError.ts"
import { OrganizationCharts } from "./Charts.ts"

/**
 * The charts of a store whose rows nothing reads: each call fails with `FailedDependency` and this message.
 *
 * @example
 * ```ts
 * import { noCharts } from "@headgate/core/adapter"
 *
 * export const charts = noCharts("this server queries nothing: start it with --charts")
 * ```
 */
export const noCharts = (message: string): Layer.Layer<OrganizationCharts> => {
  const refuse = () => Effect.fail(new FailedDependency({ message }))
  const charts = { query: refuse, series: refuse, search: refuse }
  return Layer.succeed(OrganizationCharts, { of: () => charts })
}
