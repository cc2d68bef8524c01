import {
  apiKeyCredentialsLaws,
  apiKeysLaws,
  authenticatorLaws,
  dashboardsLaws,
  organizationDashboardsLaws,
  pipesLaws,
  snapshotsLaws,
  storedApiKeysLaws,
  tokensLaws
} from "@headgate/conformance"
import { type Snapshot, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlAdapter } from "../src/index.ts"
import { describePostgres } from "./support/postgres.ts"

const name = "Postgres"

describePostgres(name, (postgres) => {
  /** The adapter over a new database. */
  const empty = Layer.unwrap(
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      return SqlAdapter.layerPostgres({ url: yield* lendDatabase })
    })
  )
  const layer = (snapshot: Snapshot) =>
    Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(Layer.provideMerge(empty))

  pipesLaws({ name, layer })
  apiKeysLaws({ name, layer })
  apiKeyCredentialsLaws({ name, layer })
  dashboardsLaws({
    name,
    layer: (snapshot, organizationId) => Layer.provide(SqlAdapter.layerDashboards(organizationId), layer(snapshot))
  })
  organizationDashboardsLaws({ name, layer })
  authenticatorLaws({ name, layer })
  tokensLaws({ name, layer })
  storedApiKeysLaws({ name, layer })
  snapshotsLaws({ name, layer })
})
