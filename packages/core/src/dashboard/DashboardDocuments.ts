import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../access/OrganizationId.ts"
import type { CallError } from "../error/CallError.ts"

/**
 * Dashboards as JSON text, for whoever hands them on and does not look into them: what `PipeDocuments` is to `Pipes`,
 * this is to `OrganizationDashboards`. A list of ten thousand is not held as ten thousand objects.
 *
 * @example
 * ```ts
 * import type { OrganizationId } from "@headgate/core/access"
 * import { DashboardDocuments } from "@headgate/core/dashboard"
 * import * as Effect from "effect/Effect"
 *
 * export const answer = Effect.fn("answer")(function* (organizationId: OrganizationId) {
 *   const documents = yield* DashboardDocuments
 *   return `{"data":[${(yield* documents.list(organizationId)).join(",")}]}`
 * })
 * ```
 */
export class DashboardDocuments extends Context.Service<
  DashboardDocuments,
  {
    /**
     * All dashboards of an organization, newest last, each as JSON text: what `Schema.fromJsonString(Dashboard)` writes
     * of what `list` of its `Dashboards` answers. Fails as `list` does.
     */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<string>, CallError>
  }
>()("@headgate/core/dashboard/DashboardDocuments") {}
