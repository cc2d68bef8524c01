import { Snapshot, Snapshots } from "@headgate/core"
import { MemoryAdapter } from "@headgate/memory-adapter"
import { SqlAdapter } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { describePostgres, noTimeouts, sealingKey } from "../../../../packages/sql-adapter/test/support/postgres.ts"
import { layerCopied } from "../../../../packages/sql-adapter/test/temporaryDatabase.ts"
import type { StorePort } from "@headgate/core/adapter"

/** A kind of store that a server may stand on. */
export interface Store {
  readonly name: string
  /** A fresh store that holds a snapshot and nothing else. */
  readonly holding: (snapshot: Snapshot) => Layer.Layer<StorePort, unknown>
}

const imported = (snapshot: Snapshot, empty: Layer.Layer<StorePort, unknown>): Layer.Layer<StorePort, unknown> =>
  Layer.effectDiscard(Snapshots.use((snapshots) => snapshots.import(snapshot))).pipe(Layer.provideMerge(empty))

type Suite = (store: Store) => void

export const memory: Store = { name: "memory", holding: (snapshot) => MemoryAdapter.layer({ snapshot }) }

export const overSqlite = (suite: Suite): void => {
  const empty = layerCopied()
  suite({ name: "SQLite", holding: (snapshot) => imported(snapshot, Layer.fresh(empty)) })
}

export const overPostgres = (suite: Suite): void => {
  describePostgres("Postgres", (postgres) =>
    suite({
      name: "Postgres",
      holding: (snapshot) =>
        Layer.unwrap(
          Effect.gen(function* () {
            const { lendDatabase } = yield* postgres
            return imported(
              snapshot,
              SqlAdapter.layerPostgres({ ...noTimeouts, url: yield* lendDatabase, maxConnections: 4, sealingKey })
            )
          })
        )
    })
  )
}

/** A real store of every kind: memory, a SQLite file, a Postgres that is started for the suite. */
export const overEveryStore = (suite: Suite): void => {
  suite(memory)
  overSqlite(suite)
  overPostgres(suite)
}

/** A snapshot that a test wrote as JSON. */
export const decodeSnapshot = Schema.decodeUnknownSync(Snapshot)
