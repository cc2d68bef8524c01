import * as Effect from "effect/Effect"
import type { SourceKind } from "./SourceKind.ts"

interface LoadedKind {
  /** Why this process cannot move it. */
  readonly missing?: () => string | undefined
  readonly load: () => Promise<SourceKind>
}

/** The versions of Node that the client of Kafka runs on: its `engines`. */
export const kafkaNeedsNode = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const runs = (major === 22 && minor >= 22) || (major === 24 && minor >= 6) || major > 24
  return runs
    ? undefined
    : `pipes from Kafka need Node 22.22 or 24.6 and later, and this server runs on Node ${version}`
}

/** The kinds of sources whose pipes are moved, by their name in `source`. Each is loaded when a pipe needs it. */
export const sourceKinds: Readonly<Record<string, LoadedKind>> = {
  kafka: {
    missing: () => kafkaNeedsNode(process.versions.node),
    load: () => import("./kafkaKind.ts").then(({ kafkaKind }) => kafkaKind)
  },
  postgres: { load: () => import("./postgresKind.ts").then(({ postgresKind }) => postgresKind) },
  objectStorage: {
    load: () => import("./objectStorageKind.ts").then(({ objectStorageKind }) => objectStorageKind)
  }
}

/** The kind of the source of a pipe, loaded; the failure says why this process cannot move it. */
export const loadKind = Effect.fnUntraced(function* (name: string) {
  const found = sourceKinds[name]
  if (found === undefined) {
    return yield* Effect.fail({ message: `pipes from a source of the kind ${name} are not moved` })
  }
  const missing = found.missing?.()
  return missing === undefined ? yield* Effect.promise(found.load) : yield* Effect.fail({ message: missing })
})

/** The kind of a source that keeps something of a deleted pipe; `undefined` if it keeps nothing, or cannot be moved here. */
export const loadTables = (name: string) =>
  loadKind(name).pipe(
    Effect.map((kind) => ("tables" in kind ? kind : undefined)),
    Effect.orElseSucceed(() => undefined)
  )
