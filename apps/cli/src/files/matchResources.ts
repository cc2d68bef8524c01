import * as Arr from "effect/Array"
import type { FileResource } from "./directory.ts"
import type { ResourceKind } from "./kinds.ts"
import type { LockEntry } from "./lockFile.ts"
import type { Members } from "./members.ts"
import { isInScope, type Scope } from "./scope.ts"

/** A resource of the service. */
export interface RemoteResource {
  readonly kind: ResourceKind
  readonly id: string
  readonly name: string
  /** The JSON that the service answered. */
  readonly document: Members
  /** The document as a file would have it. */
  readonly value: Members
  /** Its version, if the service tells versions. */
  readonly version?: number | undefined
}

/** A file with its entry in the lock file and its resource. Without a resource it is created. */
export interface Match {
  readonly file: FileResource
  readonly entry?: LockEntry | undefined
  readonly remote?: RemoteResource | undefined
}

export interface Matches {
  readonly matches: ReadonlyArray<Match>
  /** Entries whose file is gone, with their resource, if it still exists. */
  readonly orphans: ReadonlyArray<{ readonly entry: LockEntry; readonly remote?: RemoteResource | undefined }>
  /** Entries of other organizations and services. */
  readonly others: ReadonlyArray<LockEntry>
  /** Why files cannot be matched. */
  readonly problems: ReadonlyArray<string>
}

/** The entry of a file: by its name in the directory, or by the name of its resource if the file was renamed. */
const entryOf = (file: FileResource, entries: ReadonlyArray<LockEntry>, files: ReadonlySet<string>) =>
  entries.find((entry) => entry.kind === file.kind && entry.file === file.file) ??
  entries.find(({ kind, name, file: other }) => kind === file.kind && name === file.name && !files.has(other))

/** Files of one kind with one name, of which the lock does not tell the resources: it would be open which is which. */
const repeatedNames = (files: ReadonlyArray<FileResource>, isLocked: (file: FileResource) => boolean) =>
  Object.values(Arr.groupBy(files, ({ kind, name }) => `${kind} ${name}`)).flatMap((same) =>
    same.length === 1 || same.every(isLocked)
      ? []
      : [`${same.map(({ file }) => file).join(" and ")} have the name "${same[0].name}"`]
  )

/**
 * Finds the resource of each file: by the id in the lock file, else by its name, which must be unique in the service. A
 * resource that the lock gives to one file is not that of another.
 */
export const matchResources = (
  files: ReadonlyArray<FileResource>,
  lock: ReadonlyArray<LockEntry>,
  resources: ReadonlyArray<RemoteResource>,
  scope: Scope
): Matches => {
  const names = new Set(files.map(({ file }) => file))
  const entries = lock.filter((entry) => isInScope(entry, scope))
  const ownEntries = files.map((file) => entryOf(file, entries, names))
  const byId = new Map(resources.map((resource) => [`${resource.kind} ${resource.id}`, resource]))
  const remoteOf = (entry: LockEntry | undefined) =>
    entry?.id === undefined ? undefined : byId.get(`${entry.kind} ${entry.id}`)
  const claimed = new Set(ownEntries.flatMap((entry) => remoteOf(entry) ?? []))
  const unclaimed = Arr.groupBy(
    resources.filter((resource) => !claimed.has(resource)),
    ({ kind, name }) => `${kind} ${name}`
  )
  const problems = repeatedNames(files, (file) => remoteOf(ownEntries[files.indexOf(file)]) !== undefined)

  const matches = files.map((file, index): Match => {
    const entry = ownEntries[index]
    const locked = remoteOf(entry)
    if (locked !== undefined) return { file, entry, remote: locked }
    const [remote, ...more] = unclaimed[`${file.kind} ${file.name}`] ?? []
    if (remote !== undefined && more.length > 0) {
      const ids = [remote, ...more].map(({ id }) => id).join(", ")
      problems.push(`${file.file}: ${more.length + 1} ${file.kind}s have the name "${file.name}": ${ids}`)
    }
    // A creation that was begun and is not acknowledged: what is found by its name is what it created.
    const isOwn = entry?.creation !== undefined && entry.id === undefined
    const found = entry === undefined || remote === undefined ? undefined : { ...entry, created: isOwn }
    return { file, entry: found ?? entry, remote }
  })

  const used = new Set(ownEntries)
  const taken = new Set(matches.flatMap(({ remote }) => remote ?? []))
  const orphans = entries
    .filter((entry) => !used.has(entry))
    .map((entry) => {
      const begun = entry.id === undefined ? (unclaimed[`${entry.kind} ${entry.name}`] ?? []) : []
      const remote = remoteOf(entry) ?? (begun.length === 1 ? begun[0] : undefined)
      return { entry, remote: remote === undefined || taken.has(remote) ? undefined : remote }
    })
  return { matches, orphans, others: lock.filter((entry) => !isInScope(entry, scope)), problems }
}
