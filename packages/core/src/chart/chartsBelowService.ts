import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BelowService } from "../dashboard/BelowService.ts"
import { layerBelowService } from "../dashboard/documentsBelowService.ts"
import type { Services } from "../service/Services.ts"
import { Charts, OrganizationCharts } from "./Charts.ts"

/**
 * The port to the charts below each service, as `documentsBelowService` is for documents: that of the organization, once its service is
 * found. A service need not run.
 *
 * @example
 * ```ts
 * import type { Services } from "@headgate/core"
 * import { chartsBelowService, noCharts } from "@headgate/core/adapter"
 * import * as Layer from "effect/Layer"
 *
 * // Yours: the services of one store.
 * declare const services: Layer.Layer<Services>
 *
 * export const layer = Layer.provide(chartsBelowService, [services, noCharts("nothing is queried")])
 * ```
 */
export const chartsBelowService: Layer.Layer<BelowService<Charts>, never, OrganizationCharts | Services> = Layer.unwrap(
  Effect.map(OrganizationCharts, ({ of }) => layerBelowService(Charts, of))
)
