import type { Connector } from "@headgate/mover"
import * as Effect from "effect/Effect"

interface RegisteredConnector {
  /** Why this process cannot load it. */
  readonly missing?: () => string | undefined
  readonly load: () => Promise<Connector>
}

/** The versions of Node that the client of Kafka runs on: its `engines`. */
export const kafkaNeedsNode = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const runs = (major === 22 && minor >= 22) || (major === 24 && minor >= 6) || major > 24
  return runs
    ? undefined
    : `pipes from Kafka need Node 22.22 or 24.6 and later, and this server runs on Node ${version}`
}

/** The connectors of the sources whose pipes are moved, by their name in `source`. Each is loaded when a pipe needs it. */
export const connectors: Readonly<Record<string, RegisteredConnector>> = {
  kafka: {
    missing: () => kafkaNeedsNode(process.versions.node),
    load: () => import("@headgate/mover-kafka").then(({ kafkaConnector }) => kafkaConnector)
  },
  postgres: { load: () => import("@headgate/mover-postgres").then(({ postgresConnector }) => postgresConnector) },
  objectStorage: {
    load: () => import("@headgate/mover-object-storage").then(({ objectStorageConnector }) => objectStorageConnector)
  }
}

/** The connector of the source of a pipe, loaded; the failure says why this process cannot move it. */
export const loadConnector = Effect.fnUntraced(function* (name: string) {
  const found = connectors[name]
  if (found === undefined) {
    return yield* Effect.fail({ message: `pipes from a source of the kind ${name} are not moved` })
  }
  const missing = found.missing?.()
  return missing === undefined ? yield* Effect.promise(found.load) : yield* Effect.fail({ message: missing })
})

/** The connector of a source whose tables are copied; `undefined` for another one, and for one that cannot be loaded here. */
export const loadTables = (name: string) =>
  loadConnector(name).pipe(
    Effect.map((connector) => (connector._tag === "Tables" ? connector : undefined)),
    Effect.orElseSucceed(() => undefined)
  )
