import type { Cell } from "./cells.ts"
import type { ExpendablePipe, MatrixKey } from "./keys.ts"

/** What was in the store and what was done to it. */
export interface History {
  readonly keys: ReadonlyArray<MatrixKey>
  readonly expendable: ReadonlyArray<ExpendablePipe>
  readonly cells: ReadonlyArray<Cell>
  readonly allowed: ReadonlySet<Cell>
  /** The keys that the operator deleted. */
  readonly deletedKeys: ReadonlySet<MatrixKey>
}

interface ExportedKey {
  readonly id: string
  readonly name: string
  readonly roles: ReadonlyArray<string>
  readonly state: string
  readonly expireAt?: string
  readonly usedAt?: string
  readonly ipAccessList?: ReadonlyArray<{ readonly source: string }>
}

/** The part of an export that is checked. */
export interface Exported {
  readonly organizations: ReadonlyArray<{
    readonly services: ReadonlyArray<{ readonly pipes: ReadonlyArray<{ readonly id: string }> }>
    readonly keys: ReadonlyArray<ExportedKey>
    readonly dashboards: ReadonlyArray<{ readonly name: string }>
  }>
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
  const created = (operation: string) => done(operation).map(({ creates }) => creates)
  const deletedPipes = new Set(done("pipe.delete").map(({ pipe }) => pipe?.id))
  const used = new Set(
    Array.from(allowed).flatMap(({ credential, operation }) =>
      operation.api === "management" ? [credential.authorization] : []
    )
  )
  const exportedKeys = organizations.flatMap((organization) => organization.keys)
  const byId = new Map(exportedKeys.map((key) => [key.id, key]))
  const imported = keys.filter((key) => !deletedKeys.has(key))
  const pipes = [...keys.map(({ keptPipe }) => keptPipe), ...expendable.map(({ id }) => id)]
  return [
    ...differences(
      "a pipe",
      new Set(pipes.filter((id) => !deletedPipes.has(id))),
      organizations.flatMap(({ services }) => services.flatMap((service) => service.pipes.map(({ id }) => id)))
    ),
    ...differences(
      "a dashboard",
      new Set(created("dashboard.create")),
      organizations.flatMap(({ dashboards }) => dashboards.map(({ name }) => name))
    ),
    ...differences(
      "a key",
      new Set([...imported.map(({ keyId }) => keyId), ...created("key.create")]),
      exportedKeys.map(({ name }) => name)
    ),
    ...imported.flatMap((key) => {
      const found = byId.get(key.resourceId)
      return found === undefined ? [] : keyFaults(key, found, used.has(key.authorization))
    })
  ]
}
