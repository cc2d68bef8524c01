import * as Effect from "effect/Effect"
import { isApplied } from "./dashboardChange.ts"
import { isOwned, type LockEntry, writeLock } from "./lockFile.ts"
import type { Match, Matches, RemoteResource } from "./matchResources.ts"
import { canonicalJson, digestOf } from "./members.ts"
import { placeOf, type Scope } from "./scope.ts"
import type { Target } from "./target.ts"

/** What the lock file says of a file. `id`: of its resource, once that is there. */
const entryOf = (scope: Scope, { entry, file }: Match, id?: string): LockEntry => ({
  ...placeOf(file.kind, scope),
  kind: file.kind,
  name: file.name,
  file: file.file,
  ...(id === undefined ? {} : { id }),
  created: entry?.created ?? false,
  ...(entry?.document === undefined ? {} : { document: entry.document })
})

const matchedEntry = (
  scope: Scope,
  match: Match,
  remote: RemoteResource,
  unchanged: ReadonlySet<Match>
): LockEntry => ({
  ...entryOf(scope, match, remote.id),
  ...(unchanged.has(match) ? { document: digestOf(match.file.document) } : {}),
  ...(match.entry?.applied !== undefined && isApplied(match, remote) ? { applied: match.entry.applied } : {})
})

/** The entries before the first step: what is matched, and what the directory created and has no file for. */
const entriesOf = (
  scope: Scope,
  { matches, orphans }: Matches,
  unchanged: ReadonlySet<Match>
): ReadonlyArray<LockEntry> => [
  ...matches.flatMap((match) => {
    if (match.remote !== undefined) return [matchedEntry(scope, match, match.remote, unchanged)]
    return match.entry?.creation === undefined ? [] : [match.entry]
  }),
  ...orphans.flatMap(({ entry, remote }) =>
    remote !== undefined && isOwned(entry) ? [{ ...entry, id: remote.id, created: true }] : []
  )
]

/**
 * The lock file of an apply. `unchanged` are the matches whose file is as the service says. It is written before each creation and after each answer, so that the next run finds what this one
 * has begun.
 */
export const openLock = ({ directory, lock, matches, scope }: Target, unchanged: ReadonlyArray<Match>) => {
  let entries = entriesOf(scope, matches, new Set(unchanged))
  let written = canonicalJson(lock)

  const save = Effect.fnUntraced(function* () {
    const all = [...matches.others, ...entries]
    const text = canonicalJson(all)
    if (text === written) return
    yield* writeLock(directory, all)
    written = text
  })
  const isOf =
    ({ file }: Match) =>
    (entry: LockEntry): boolean =>
      entry.kind === file.kind && entry.file === file.file
  const put = (match: Match, entry: LockEntry) =>
    Effect.suspend(() => {
      entries = [...entries.filter((one) => !isOf(match)(one)), entry]
      return save()
    })

  return {
    save,
    /** A creation begins: `creation` is what its idempotency key is made from. */
    begin: (match: Match, creation: string) => put(match, { ...entryOf(scope, match), created: true, creation }),
    /** The service has acknowledged the creation. */
    acknowledge: (match: Match, id: string) => put(match, { ...entryOf(scope, match, id), created: true }),
    /** The service is as the file says. `applied`: it has filled in what the document leaves out. */
    apply: (match: Match, applied: LockEntry["applied"]) =>
      Effect.suspend(() => {
        const own = entries.find(isOf(match))
        const document = digestOf(match.file.document)
        return own === undefined
          ? Effect.void
          : put(match, { ...own, document, ...(applied === undefined ? {} : { applied }) })
      }),
    /** The resource was deleted. */
    forget: ({ id, kind }: RemoteResource) =>
      Effect.suspend(() => {
        entries = entries.filter((entry) => entry.id !== id || entry.kind !== kind)
        return save()
      })
  }
}
