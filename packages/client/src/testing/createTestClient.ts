import { Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { HeadgateClient } from "../HeadgateClient.ts"
import { makeRunner } from "../Runner.ts"
import { dashboardsClient } from "../dashboard/DashboardsClient.ts"
import { keysClient } from "../key/KeysClient.ts"
import { pipesClient } from "../pipe/PipesClient.ts"
import { readSeed, type Snapshot, type TestClientOptions } from "./TestClientOptions.ts"
import { testLayer } from "./testLayer.ts"

/** A client over memory, which also shows all that it holds. */
export interface TestClient extends HeadgateClient {
  /** All that the client holds now: what a test asserts on, or makes another client from. */
  snapshot(): Promise<Snapshot>
}

/**
 * Makes a client of both APIs that holds what it is given in memory: no network, no credentials, the same rules and
 * errors. What it makes up, ids and credentials, is the same in every run; its time is `Date`'s. Throws
 * `InvalidRequestError` when what it is given contradicts itself or the schemas.
 *
 * @example
 * ```ts
 * import { createTestClient, sampleOrganizationId } from "@headgate/client/testing"
 *
 * const id = "0b9e3f52-6c1d-4a8e-8f27-1d5a9c3e7b40"
 * const serviceId = "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35"
 * const headgate = createTestClient({ pipes: [{ id, serviceId, name: "orders", state: "Running" }] })
 * const pipe = await headgate.pipes.get({ organizationId: sampleOrganizationId, serviceId, pipeId: id })
 * console.log(pipe.name) // orders
 * ```
 */
export const createTestClient = (options: TestClientOptions = {}): TestClient => {
  const layer = Layer.unwrap(
    Effect.map(readSeed(options), ({ organizationId, snapshots }) => {
      const imports = Snapshots.use((port) => Effect.forEach(snapshots, port.import, { discard: true }))
      return Layer.effectDiscard(imports).pipe(Layer.provideMerge(testLayer(organizationId)))
    })
  )
  const { close, run: runNow, start } = makeRunner(layer)
  start()
  // One after another, in the order they were made: those at once would else draw ids in an order that no one knows.
  const turns = Semaphore.makeUnsafe(1)
  const run: typeof runNow = (call, options) => runNow(turns.withPermit(call), options)
  return {
    pipes: pipesClient(run),
    keys: keysClient(run),
    dashboards: dashboardsClient(run),
    snapshot: () => run(Snapshots.use((snapshots) => snapshots.export)),
    close,
    [Symbol.asyncDispose]: close
  }
}
