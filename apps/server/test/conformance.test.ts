import { apiKeysLaws, dashboardsLaws, fixtureCredentials, fixtureIds, pipesLaws } from "@headgate/conformance"
import type { OrganizationId } from "@headgate/core/access"
import { type Snapshot, Snapshots } from "@headgate/core/snapshot"
import { HttpAdapter } from "@headgate/http-adapter"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { SqlAdapter } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import { liveServer, type ServedPorts, ServerUrl } from "./support/liveServer.ts"
import { temporaryDirectory } from "./support/processes.ts"

type StoreOf = (snapshot: Snapshot) => Layer.Layer<ServedPorts, unknown>

const memory: StoreOf = (snapshot) => MemoryAdapter.layer({ snapshot })

const sqlite: StoreOf = (snapshot) =>
  Layer.unwrap(
    Effect.map(temporaryDirectory, (directory) => {
      const imported = Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot)))
      return imported.pipe(Layer.provideMerge(SqlAdapter.layerSqlite({ filename: join(directory, "headgate.sqlite") })))
    })
  )

/** An adapter that calls a server of its own, which stands on a store of its own. */
const overHttp =
  <A, E>(store: StoreOf, dialect: Dialect, client: (baseUrl: string) => Layer.Layer<A, E>) =>
  (snapshot: Snapshot): Layer.Layer<A, unknown> =>
    Layer.unwrap(Effect.map(ServerUrl, client)).pipe(Layer.provide(Layer.fresh(liveServer(store(snapshot), dialect))))

const management = (dialect: Dialect) => (baseUrl: string) =>
  HttpAdapter.layerManagement({ baseUrl, dialect, ...fixtureCredentials.keys.admin }).pipe(
    Layer.provide(FetchHttpClient.layer)
  )

const observability = (organizationId: OrganizationId) => (baseUrl: string) => {
  const { acme, globex } = fixtureCredentials.tokens
  const { token } = organizationId === fixtureIds.organizations.acme ? acme : globex
  return HttpAdapter.layerObservability({ baseUrl, token }).pipe(Layer.provide(FetchHttpClient.layer))
}

for (const [storeName, store] of [
  ["memory", memory],
  ["SQLite", sqlite]
] as const) {
  const over = `http-adapter over a live server over ${storeName}`
  for (const dialect of [neutral, clickhouse]) {
    pipesLaws({ name: `${over}, ${dialect.name}`, layer: overHttp(store, dialect, management(dialect)) })
  }
  apiKeysLaws({ name: over, layer: overHttp(store, neutral, management(neutral)) })
  dashboardsLaws({
    name: over,
    layer: (snapshot, organizationId) => overHttp(store, neutral, observability(organizationId))(snapshot)
  })
}
