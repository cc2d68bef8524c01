import { OrganizationCharts } from "@headgate/core/adapter"
import type { Operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { Handlers } from "../http/operationRoutes.ts"
import { handlersOf } from "../http/handlersOf.ts"

/** The operations on charts, on those of the token's organization. Contract: docs/wire-contract.md#charts. */
export const chartHandlers = (table: Operations["chart"]) =>
  Effect.map(OrganizationCharts, (charts): Handlers<typeof table> =>
    handlersOf(table, ({ principal }) => charts.of(principal.organizationId))
  )
