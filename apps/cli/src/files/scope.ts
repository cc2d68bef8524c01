import type { ServiceAddress } from "@headgate/core"
import * as Effect from "effect/Effect"
import { serviceAddress } from "../address/nouns.ts"
import { UsageError } from "../error/CommandError.ts"
import * as Setting from "../settings/Setting.ts"
import { apiSettings, dashboardsUrl, isTokenAlone } from "../settings/settings.ts"
import type { ResourceKind } from "./kinds.ts"
import type { LockEntry } from "./lockFile.ts"

/** Where resources are: in a service and its organization, or, where a token alone reaches dashboards, at their URL. */
export type Scope = ServiceAddress | { readonly url: string }

/** The service of the resources that are no dashboards. {@link readScope} has read its address if there are any. */
export const serviceOf = (scope: Scope): Effect.Effect<ServiceAddress, UsageError> =>
  "url" in scope
    ? Effect.fail(new UsageError({ message: "Pipes and keys need the key of a service." }))
    : Effect.succeed(scope)

const onlyDashboards =
  "With a token and no key, dashboards alone can be read and changed: 'headgate export --kind dashboard', or a directory that holds nothing else."

/** The scope of resources of some kinds. Fails with what is missing if they need a key and there is none. */
export const readScope = Effect.fnUntraced(function* (kinds: ReadonlyArray<ResourceKind>) {
  if (!(yield* isTokenAlone)) {
    const scope: Scope = yield* serviceAddress
    return scope
  }
  if (kinds.some((kind) => kind !== "dashboard")) {
    yield* Effect.mapError(
      Setting.requireAll(apiSettings),
      ({ message }) => new UsageError({ message: `${message}\n${onlyDashboards}` })
    )
  }
  const scope: Scope = { url: (yield* Setting.required(dashboardsUrl)).value.replace(/(?<!\/)\/+$/, "") }
  return scope
})

/** Whether the lock file says that a resource is here. */
export const isInScope = ({ kind, organization, service, url }: LockEntry, scope: Scope): boolean =>
  "url" in scope
    ? url === scope.url
    : organization === scope.organizationId && (kind !== "pipe" || service === scope.serviceId)

/** What the lock file says of where a resource is. */
export const placeOf = (kind: ResourceKind, scope: Scope): Pick<LockEntry, "organization" | "service" | "url"> => {
  if ("url" in scope) return { url: scope.url }
  const { organizationId: organization, serviceId: service } = scope
  return kind === "pipe" ? { organization, service } : { organization }
}
