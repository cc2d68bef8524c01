import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import { currentDialect } from "../settings/settings.ts"
import { readDirectory } from "./directory.ts"
import { resourceKinds } from "./kinds.ts"
import { type LockEntry, readLock } from "./lockFile.ts"
import { type Match, type Matches, matchResources } from "./matchResources.ts"
import type { Plan } from "./plan.ts"
import { getResource, listResources } from "./remoteResources.ts"
import { isInScope, readScope, type Scope } from "./scope.ts"

/** `--file`: the directory of `diff` and `apply`. */
export const directoryFlag = Flag.String("file").pipe(
  Flag.withAlias("f"),
  Flag.withMetavar("directory"),
  Flag.withDescription("Directory of the files, such as orders.pipe.yaml, ci.key.yaml and errors.dashboard.json")
)

/** A directory, and the resources of the service that its files are matched with. */
export interface Target {
  readonly directory: string
  readonly dialect: Dialect
  readonly scope: Scope
  readonly lock: ReadonlyArray<LockEntry>
  readonly matches: Matches
}

/** Reads a directory, and the resources of the kinds that it manages. */
export const readTarget = Effect.fnUntraced(function* (directory: string) {
  const dialect = yield* currentDialect
  const files = yield* readDirectory(directory, dialect)
  const lock = yield* readLock(directory)
  const scope = yield* readScope(files.map(({ kind }) => kind))
  const entries = lock.filter((entry) => isInScope(entry, scope))
  const kinds = resourceKinds.filter((kind) => [...files, ...entries].some((one) => one.kind === kind))
  const matches = matchResources(files, lock, yield* listResources(kinds, dialect, scope), scope)
  const target: Target = { directory, dialect, scope, lock, matches }
  return target
})

/**
 * Reads again what a plan changes, for its version, which lists do not have. What does not change is read once, in the list: a
 * service may allow 100 requests a minute.
 */
export const withVersions = Effect.fnUntraced(function* ({ dialect, matches, scope }: Target, { changes }: Plan) {
  const changed = new Set(changes.flatMap((change) => (change.action === "create" ? [] : [change.remote])))
  const read = Effect.fnUntraced(function* <A extends Pick<Match, "remote">>(match: A) {
    const { remote } = match
    if (remote === undefined || !changed.has(remote)) return match
    return { ...match, remote: yield* getResource(remote.kind, dialect, scope, remote.id) }
  })
  const some = { concurrency: 4 }
  const versioned: Matches = {
    ...matches,
    matches: yield* Effect.forEach(matches.matches, read, some),
    orphans: yield* Effect.forEach(matches.orphans, read, some)
  }
  return versioned
})
