import type { Connectors } from "@headgate/mover-runtime"

/** The versions of Node that the client of Kafka runs on: its `engines`. */
export const kafkaNeedsNode = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const runs = (major === 22 && minor >= 22) || (major === 24 && minor >= 6) || major > 24
  return runs
    ? undefined
    : `pipes from Kafka need Node 22.22 or 24.6 and later, and this server runs on Node ${version}`
}

/** The sources whose pipes are moved, by their name in `source` of a pipe. Each is loaded when a pipe needs it. */
export const connectors: Connectors = {
  kafka: {
    missing: () => kafkaNeedsNode(process.versions.node),
    load: () => import("@headgate/mover-kafka").then(({ kafkaConnector }) => kafkaConnector)
  },
  postgres: { load: () => import("@headgate/mover-postgres").then(({ postgresConnector }) => postgresConnector) },
  objectStorage: {
    load: () => import("@headgate/mover-object-storage").then(({ objectStorageConnector }) => objectStorageConnector)
  }
}

/** Those of a demo: it makes up the rows of pipes from Kafka. */
export const demoConnectors: Connectors = {
  ...connectors,
  kafka: { load: () => import("@headgate/mover-demo").then(({ demoConnector }) => demoConnector) }
}
