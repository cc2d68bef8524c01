import type { OrganizationId } from "../access/OrganizationId.ts"
import type { TokenRecord } from "../access/TokenRecord.ts"
import type { Dashboard } from "../dashboard/Dashboard.ts"
import type { ApiKeyRecord } from "../key/ApiKeyRecord.ts"
import type { Pipe } from "../pipe/Pipe.ts"
import type { ServiceId } from "../pipe/ServiceId.ts"
import type { OrganizationSnapshot, Snapshot, SnapshotKey, SnapshotToken } from "./Snapshot.ts"

/** All that a store holds, laid flat: what each kind of row needs, its owner included, oldest first. */
export interface SnapshotContent {
  readonly organizations: ReadonlyArray<{ readonly id: OrganizationId; readonly name: string }>
  readonly services: ReadonlyArray<{
    readonly id: ServiceId
    readonly organizationId: OrganizationId
    readonly name: string
  }>
  readonly pipes: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly pipe: Pipe }>
  readonly keys: ReadonlyArray<ApiKeyRecord>
  readonly tokens: ReadonlyArray<TokenRecord>
  readonly dashboards: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly dashboard: Dashboard }>
}

const snapshotKey = ({ key, keyIdHash, keySecretHash }: ApiKeyRecord): SnapshotKey => ({
  id: key.id,
  name: key.name,
  roles: key.roles ?? [],
  state: key.state ?? "enabled",
  ...(key.createdAt ? { createdAt: key.createdAt } : {}),
  ...(key.usedAt ? { usedAt: key.usedAt } : {}),
  ...(key.expireAt ? { expireAt: key.expireAt } : {}),
  ...(key.ipAccessList ? { ipAccessList: key.ipAccessList } : {}),
  hashData: { keyIdHash, keyIdSuffix: key.keySuffix ?? "", keySecretHash }
})

const snapshotToken = ({ token, tokenHash }: TokenRecord): SnapshotToken => ({
  id: token.id,
  name: token.name,
  createdAt: token.createdAt,
  tokenHash
})

/**
 * The snapshot of a store's content: the rule that every store shares, the inverse of `snapshotRows`. For whoever
 * writes the `Snapshots` of a store.
 *
 * @example
 * ```ts
 * import { OrganizationId } from "@headgate/core/access"
 * import { ServiceId } from "@headgate/core/pipe"
 * import { toSnapshot } from "@headgate/core/snapshot"
 *
 * const organizationId = OrganizationId.make("1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21")
 * const id = ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d")
 *
 * // The rows of two tables, each service under its organization again.
 * const snapshot = toSnapshot({
 *   organizations: [{ id: organizationId, name: "Acme" }],
 *   services: [{ id, organizationId, name: "ingest" }],
 *   pipes: [],
 *   keys: [],
 *   tokens: [],
 *   dashboards: []
 * })
 * console.log(snapshot.organizations.map(({ name, services }) => [name, services?.map((service) => service.name)]))
 * // [ [ 'Acme', [ 'ingest' ] ] ]
 * ```
 */
export const toSnapshot = (content: SnapshotContent): Snapshot => {
  const ofOrganization = ({ id, name }: SnapshotContent["organizations"][number]): OrganizationSnapshot => {
    const owned = <A extends { readonly organizationId: OrganizationId }>(things: ReadonlyArray<A>) =>
      things.filter(({ organizationId }) => organizationId === id)
    const pipes = owned(content.pipes).map(({ pipe }) => pipe)
    return {
      id,
      name,
      services: owned(content.services).map((service) => ({
        id: service.id,
        name: service.name,
        pipes: pipes.filter(({ serviceId }) => serviceId === service.id)
      })),
      keys: owned(content.keys).map(snapshotKey),
      tokens: owned(content.tokens).map(snapshotToken),
      dashboards: owned(content.dashboards).map(({ dashboard }) => dashboard)
    }
  }
  return { organizations: content.organizations.map(ofOrganization) }
}
