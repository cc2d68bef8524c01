import { MovedPipes } from "@headgate/core/adapter"
import {
  cleanUpDeleted,
  type Connectors,
  makeAllowedSources,
  runPipes,
  type WarehouseEngine
} from "@headgate/mover-runtime"
import { SqlAdapter } from "@headgate/sql-adapter"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { OpenLedger, sqlLedger } from "../../../apps/server/src/store/OpenLedger.ts"

/** The sources of the pipes of {@link fillPipes} hold no credentials, so that any key opens them. */
const sealingKey = Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")

/** What moves the pipes of a test, and where to. */
export interface MoverParts {
  readonly url: Redacted.Redacted
  /** The most connections to the store. */
  readonly connections: number
  readonly connectors: Connectors
  readonly engine: WarehouseEngine
  /** For how many days the history of pipes is kept; by default as a server does. */
  readonly historyDays?: number
}

/**
 * Moves pipes as a server does, until the scope ends: with the loop of a server, over the layers of a server, and no HTTP. Returns the
 * pipes that it moves now.
 */
export const startMover = Effect.fnUntraced(function* ({
  connections,
  connectors,
  engine,
  historyDays,
  url
}: MoverParts) {
  const store = SqlAdapter.layerPostgres({ url, sealingKey, maxConnections: connections })
  const context = yield* Layer.build(Layer.provideMerge(sqlLedger, store))
  const mover = {
    moved: Context.get(context, MovedPipes),
    store: yield* Context.get(context, OpenLedger),
    engines: new Map([["*", engine]]),
    connectors,
    allowed: makeAllowedSources([]),
    retryTimeout: Duration.minutes(15),
    ...(historyDays === undefined ? {} : { historyDays })
  }
  const running = yield* runPipes(mover)
  yield* cleanUpDeleted(mover)
  return running
})
