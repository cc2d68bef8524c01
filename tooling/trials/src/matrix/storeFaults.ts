import { namedDocuments } from "@headgate/harness/contractOperations"
import type { KindName } from "@headgate/core/adapter"
import * as Record from "effect/Record"
import type { Cell } from "./cells.ts"
import { type ExpendablePipe, keptPipeName, type MatrixKey } from "./keys.ts"

/** What was in the store and what was done to it. */
export interface History {
  readonly keys: ReadonlyArray<MatrixKey>
  readonly expendable: ReadonlyArray<ExpendablePipe>
  readonly cells: ReadonlyArray<Cell>
  readonly allowed: ReadonlySet<Cell>
  /** The keys that the operator deleted. */
  readonly deletedKeys: ReadonlySet<MatrixKey>
}

interface Named {
  readonly id: string
  readonly name: string
}

interface ExportedPipe extends Named {
  readonly state: string
  readonly scaling?: object
  readonly settings?: object
}

interface ExportedKey extends Named {
  readonly roles: ReadonlyArray<string>
  readonly state: string
  readonly expireAt?: string
  readonly usedAt?: string
  readonly ipAccessList?: ReadonlyArray<{ readonly source: string }>
}

type Collection = Exclude<KindName, "organizations" | "services" | "endpoints" | "pipes" | "keys" | "tokens">

/** The collections whose resources are found by their names, and the operations that create them. */
const collections: { readonly [Name in Collection]: ReadonlyArray<string> } = {
  roles: ["role.create"],
  dashboards: ["dashboard.create", "serviceDashboard.create"],
  connections: ["connection.create"],
  sources: ["source.create", "serviceSource.create"],
  savedSearches: ["savedSearch.create", "serviceSavedSearch.create"],
  webhooks: ["webhook.create", "serviceWebhook.create"],
  alerts: ["alert.create", "serviceAlert.create"],
  dashboardRoles: ["dashboardRole.create"]
}

/** The part of an export that is checked. */
export interface Exported {
  readonly organizations: ReadonlyArray<
    { readonly [Name in Collection]?: ReadonlyArray<Named> } & {
      readonly services: ReadonlyArray<{
        readonly id: string
        readonly pipes?: ReadonlyArray<ExportedPipe>
        readonly cdcScaling?: object
        readonly reversePrivateEndpoints?: ReadonlyArray<{ readonly description: string }>
      }>
      readonly keys: ReadonlyArray<ExportedKey>
    }
  >
}

const differences = (what: string, expected: ReadonlySet<string>, found: ReadonlyArray<string>) => {
  const there = new Set(found)
  return [
    ...(there.size === found.length ? [] : [`${what} twice`]),
    ...found.filter((one) => !expected.has(one)).map((one) => `${what} is stored and should not be: ${one}`),
    ...Array.from(expected)
      .filter((one) => !there.has(one))
      .map((one) => `${what} is not stored and should be: ${one}`)
  ]
}

const wholeMinute = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00(\.0+)?Z$/

/** Keys must not change, and `usedAt` must be a whole minute on keys that were used and absent on others. */
const keyFaults = (key: MatrixKey, found: ExportedKey, wasUsed: boolean): ReadonlyArray<string> => {
  const { ipAccessList, usedAt } = found
  const before = [key.roles, key.state, key.expiry.expireAt, key.list.sources]
  const after = [found.roles, found.state, found.expireAt, ipAccessList?.map(({ source }) => source)]
  const faults: ReadonlyArray<readonly [isFault: boolean, fault: string]> = [
    [JSON.stringify(before) !== JSON.stringify(after), `was changed to ${JSON.stringify(found)}`],
    [
      (key.state === "disabled" || key.expiry.hasPassed) && usedAt !== undefined,
      `cannot log in, but was used at ${usedAt}`
    ],
    [wasUsed && usedAt === undefined, "was used, but has no usedAt"],
    [usedAt !== undefined && !wholeMinute.test(usedAt), `was used at ${usedAt}, which is not a whole minute`]
  ]
  return faults.filter(([isFault]) => isFault).map(([, fault]) => `key ${key.keyId} ${fault}`)
}

/** Everything in the store that the acknowledged cells do not account for. */
export const storeFaults = ({ organizations }: Exported, history: History): ReadonlyArray<string> => {
  const { allowed, cells, deletedKeys, expendable, keys } = history
  const done = (operation: string) => cells.filter((cell) => allowed.has(cell) && cell.operation.name === operation)
  const created = (...operations: ReadonlyArray<string>) =>
    new Set(operations.flatMap(done).map(({ creates }) => creates))
  const changers = new Map<string, ReadonlySet<MatrixKey>>()
  const changedBy = (operation: string): ReadonlySet<MatrixKey> => {
    const owners = changers.get(operation) ?? new Set(done(operation).map(({ owner }) => owner))
    changers.set(operation, owners)
    return owners
  }
  const deletedPipes = new Set(done("pipe.delete").map(({ pipe }) => pipe?.id))
  const used = new Set(
    Array.from(allowed).flatMap(({ credential, operation }) =>
      operation.api === "management" ? [credential.authorization] : []
    )
  )
  const exportedKeys = organizations.flatMap((organization) => organization.keys)
  const services = organizations.flatMap((organization) => organization.services)
  const exportedPipes = services.flatMap((service) => service.pipes ?? [])
  const byId = new Map([...exportedKeys, ...exportedPipes].map((found) => [found.id, found.name]))
  const keyById = new Map(exportedKeys.map((key) => [key.id, key]))
  const imported = keys.filter((key) => !deletedKeys.has(key))
  const importedKeys = new Set(imported.map(({ resourceId }) => resourceId))
  const pipes = new Set([...keys.map(({ keptPipe }) => keptPipe), ...expendable.map(({ id }) => id)])

  /** What was imported is found by its id, what was created by its name. */
  const idOrName = (ids: ReadonlySet<string>, found: ReadonlyArray<Named>) =>
    found.map(({ id, name }) => (ids.has(id) ? id : name))
  const expectedPipes = Array.from(pipes).filter((id) => !deletedPipes.has(id))
  const renamed = new Map<string, Set<string>>()
  for (const { creates, owner, operation } of [...done("key.update"), ...done("pipe.update")]) {
    const id = operation.name === "key.update" ? owner.resourceId : owner.keptPipe
    renamed.set(id, (renamed.get(id) ?? new Set()).add(creates))
  }
  /** After acknowledged changes a name is one of theirs, before them the first one. */
  const nameFaults = (what: string, id: string, first: string): ReadonlyArray<string> => {
    const name = byId.get(id)
    const possible = renamed.get(id) ?? new Set([first])
    return name === undefined || possible.has(name) ? [] : [`${what} ${id} was renamed to ${name}`]
  }
  const pipeById = new Map(exportedPipes.map((pipe) => [pipe.id, pipe]))
  const serviceById = new Map(services.map((service) => [service.id, service]))
  /** What no acknowledged cell changed is as it was imported. */
  const untouched = (owner: MatrixKey): ReadonlyArray<string> => {
    const never = (operation: string) => !changedBy(operation).has(owner)
    const pipe = pipeById.get(owner.keptPipe)
    const faults: ReadonlyArray<readonly [isFault: boolean, fault: string]> = [
      [never("pipe.setState") && pipe?.state !== "Running", `its pipe is ${pipe?.state}`],
      [never("pipe.scale") && pipe?.scaling !== undefined, "its pipe has another size"],
      [never("pipe.updateSettings") && pipe?.settings !== undefined, "its pipe has other settings"],
      [
        never("cdcScaling.update") && serviceById.get(owner.serviceId)?.cdcScaling !== undefined,
        "its replica has another size"
      ]
    ]
    return faults.filter(([isFault]) => isFault).map(([, fault]) => `organization ${owner.id}: ${fault}`)
  }
  return [
    ...keys.flatMap(untouched),
    ...differences("a pipe", new Set([...expectedPipes, ...created("pipe.create")]), idOrName(pipes, exportedPipes)),
    ...differences(
      "an endpoint",
      created("endpoint.create"),
      services.flatMap((service) => service.reversePrivateEndpoints ?? []).map(({ description }) => description)
    ),
    ...Record.toEntries(collections).flatMap(([collection, operations]) =>
      differences(
        `one of the ${collection}`,
        new Set([
          ...(collection in namedDocuments() ? keys.map(({ keptWebhook }) => keptWebhook) : []),
          ...created(...operations)
        ]),
        organizations.flatMap((organization) => organization[collection] ?? []).map(({ name }) => name)
      )
    ),
    ...differences("a key", new Set([...importedKeys, ...created("key.create")]), idOrName(importedKeys, exportedKeys)),
    ...imported.flatMap((key) => {
      const found = keyById.get(key.resourceId)
      return [
        ...(found === undefined ? [] : keyFaults(key, found, used.has(key.authorization))),
        ...nameFaults("key", key.resourceId, key.keyId)
      ]
    }),
    ...keys.flatMap(({ keptPipe }) => nameFaults("pipe", keptPipe, keptPipeName))
  ]
}
