import type { Cell } from "./cells.ts"
import type { ExpendablePipe, MatrixKey } from "./world.ts"

/** All that was there and all that was done. */
export interface History {
  readonly keys: ReadonlyArray<MatrixKey>
  readonly expendable: ReadonlyArray<ExpendablePipe>
  readonly cells: ReadonlyArray<Cell>
  /** The cells that were acknowledged. */
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

/** As much of the document of `headgate-server export` as is looked at. */
export interface Exported {
  readonly organizations: ReadonlyArray<{
    readonly id: string
    readonly services: ReadonlyArray<{ readonly pipes: ReadonlyArray<{ readonly id: string }> }>
    readonly keys: ReadonlyArray<ExportedKey>
    readonly dashboards: ReadonlyArray<{ readonly name: string }>
  }>
}

const differences = (what: string, expected: ReadonlySet<string>, found: ReadonlyArray<string>) => {
  const there = new Set(found)
  return [
    ...(there.size === found.length ? [] : [`${what} twice`]),
    ...found.filter((one) => !expected.has(one)).map((one) => `${what} is there and should not be: ${one}`),
    ...Array.from(expected)
      .filter((one) => !there.has(one))
      .map((one) => `${what} is not there and should be: ${one}`)
  ]
}

const wholeMinute = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00(\.0+)?Z$/

const settingsOf = (key: MatrixKey, found: ExportedKey): ReadonlyArray<string> => {
  const was = [key.roles, key.state, key.expiry.expireAt, key.list.sources]
  const is = [found.roles, found.state, found.expireAt, found.ipAccessList?.map(({ source }) => source)]
  return JSON.stringify(was) === JSON.stringify(is) ? [] : [`key ${key.keyId} was changed to ${JSON.stringify(found)}`]
}

/** A key that was never let in was never used; one that was, to the minute. */
const useOf = (key: MatrixKey, { usedAt }: ExportedKey, wasLetIn: boolean): ReadonlyArray<string> => {
  const neverLetIn = key.state === "disabled" || key.expiry.hasPassed
  if (neverLetIn && usedAt !== undefined) return [`key ${key.keyId} opens no door and was used at ${usedAt}`]
  if (wasLetIn && usedAt === undefined) return [`key ${key.keyId} opened doors and was never used`]
  return usedAt === undefined || wholeMinute.test(usedAt)
    ? []
    : [`key ${key.keyId} was used at ${usedAt}, not a minute`]
}

/** Everything in the store that is not as the acknowledged cells, and they alone, would have left it. */
export const aftermathFaults = (exported: Exported, history: History): ReadonlyArray<string> => {
  const { allowed, cells, deletedKeys, expendable, keys } = history
  const done = (operation: string) => cells.filter((cell) => allowed.has(cell) && cell.operation.name === operation)
  const named = (operation: string) => new Set(done(operation).map(({ creates }) => creates))
  const deletedPipes = new Set(done("pipe.delete").map(({ pipe }) => pipe?.id))
  const opened = new Set(
    Array.from(allowed).flatMap(({ credential, operation }) =>
      operation.api === "management" ? [credential.authorization] : []
    )
  )
  const { organizations } = exported
  const found = new Map(organizations.flatMap((organization) => organization.keys.map((key) => [key.id, key] as const)))
  const imported = keys.filter((key) => !deletedKeys.has(key))
  return [
    ...differences(
      "a pipe",
      new Set(
        [...keys.map(({ keptPipe }) => keptPipe), ...expendable.map(({ id }) => id)].filter(
          (id) => !deletedPipes.has(id)
        )
      ),
      organizations.flatMap(({ services }) => services.flatMap(({ pipes }) => pipes.map(({ id }) => id)))
    ),
    ...differences(
      "a dashboard",
      named("dashboard.create"),
      organizations.flatMap(({ dashboards }) => dashboards.map(({ name }) => name))
    ),
    ...differences(
      "a key",
      new Set([...imported.map(({ keyId }) => keyId), ...named("key.create")]),
      organizations.flatMap((organization) => organization.keys.map(({ name }) => name))
    ),
    ...imported.flatMap((key) => {
      const now = found.get(key.id)
      return now === undefined ? [] : [...settingsOf(key, now), ...useOf(key, now, opened.has(key.authorization))]
    })
  ]
}
