import {
  ApiKeyId,
  ApiKeys,
  DashboardId,
  Dashboards,
  PipeId,
  Pipes,
  UnexpectedResponse,
  versionOf
} from "@headgate/core"
import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { listReceived } from "../output/listReceived.ts"
import { encodeResource, fileValues, type ResourceKind } from "./kinds.ts"
import type { RemoteResource } from "./matchResources.ts"
import { type Scope, serviceOf } from "./scope.ts"

/** What the service answered, as it is compared with files. */
export const remoteResource = Effect.fnUntraced(function* (
  kind: ResourceKind,
  dialect: Dialect,
  answered: { readonly id: string; readonly name: string }
) {
  const document = yield* encodeResource(kind, dialect, answered)
  const remote: RemoteResource = {
    kind,
    id: answered.id,
    name: answered.name,
    document,
    value: fileValues[kind](document),
    version: versionOf(answered)
  }
  return remote
})

const listOf = Effect.fnUntraced(function* (kind: ResourceKind, scope: Scope) {
  if (kind === "dashboard") return yield* listReceived((yield* Dashboards).list())
  const service = yield* serviceOf(scope)
  if (kind === "key") return yield* listReceived((yield* ApiKeys).list({ organizationId: service.organizationId }))
  return yield* listReceived((yield* Pipes).list(service))
})

/** Lists the resources of some kinds. Fails if one cannot be read: it would be created a second time. */
export const listResources = Effect.fnUntraced(function* (
  kinds: ReadonlyArray<ResourceKind>,
  dialect: Dialect,
  scope: Scope
) {
  const lists: Array<RemoteResource> = []
  for (const kind of kinds) {
    const { elements, received } = yield* listOf(kind, scope)
    if (elements.length < received.length) {
      const message = `${received.length - elements.length} ${kind}s cannot be read: the warning says why`
      return yield* new UnexpectedResponse({ message })
    }
    for (const element of elements) lists.push(yield* remoteResource(kind, dialect, element))
  }
  return lists
})

/** Reads a resource by its id, with its version, which lists do not have. */
export const getResource = Effect.fnUntraced(function* (
  kind: ResourceKind,
  dialect: Dialect,
  scope: Scope,
  id: string
) {
  if (kind === "dashboard") {
    return yield* remoteResource(kind, dialect, yield* (yield* Dashboards).get({ dashboardId: DashboardId.make(id) }))
  }
  const service = yield* serviceOf(scope)
  if (kind === "key") {
    const address = { organizationId: service.organizationId, keyId: ApiKeyId.make(id) }
    return yield* remoteResource(kind, dialect, yield* (yield* ApiKeys).get(address))
  }
  const address = { ...service, pipeId: PipeId.make(id) }
  return yield* remoteResource(kind, dialect, yield* (yield* Pipes).get(address))
})
