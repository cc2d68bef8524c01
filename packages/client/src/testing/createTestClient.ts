import { Charts, type OrganizationId, Snapshots, UnexpectedResponse } from "@headgate/core"
import { chartsBelowService, documentsBelowService, noCharts, OrganizationCharts } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Semaphore from "effect/Semaphore"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { callPromise } from "../CallPromise.ts"
import { ClientDefaults } from "../Defaults.ts"
import type { HeadgateClient, ManagementMethods, ObservabilityMethods } from "../HeadgateClient.ts"
import { makeRunner } from "../Runner.ts"
import { nounsOf } from "../Noun.ts"
import { managementNouns, observabilityNouns } from "../nouns.ts"
import { layerExecution } from "./layerExecution.ts"
import { readSeed, type Snapshot, type TestClientOptions } from "./TestClientOptions.ts"

/** A client over memory, which can also return everything that it holds. */
export interface TestClient extends HeadgateClient {
  /** Everything that the client holds now but credentials: to assert on, or to make another client from. */
  snapshot(): Promise<Snapshot>
}

// The same numbers in every run, and so the same ids and credentials.
const seededRandom: Layer.Layer<SecureRandom.SecureRandom> = Layer.effect(
  SecureRandom.SecureRandom,
  Effect.map(Random.Random, (random) =>
    SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(random.nextDoubleUnsafe() * 256)))
  ).pipe(Random.withSeed("@headgate/client/testing"))
)

const chartsOf = (organizationId: OrganizationId) =>
  Layer.effect(
    Charts,
    OrganizationCharts.useSync((charts) => charts.of(organizationId))
  ).pipe(Layer.provideMerge(noCharts("a client over memory has no rows to query")))

const memoryLayer = (organizationId: OrganizationId) =>
  Layer.merge(documentsBelowService, chartsBelowService).pipe(
    Layer.provideMerge(chartsOf(organizationId)),
    Layer.provideMerge(MemoryAdapter.layerNoDeps({ organizationId })),
    Layer.provide([Digest.layerWebCrypto, seededRandom])
  )

/**
 * Makes a client of both APIs over memory: no network, no credentials, the same rules and errors. Generated ids and
 * credentials are the same in every run; the time is that of `Date`. Throws `InvalidRequestError` if the options contradict
 * each other or the schemas.
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
    Effect.map(readSeed(options), ({ organizationId, serviceId, snapshots }) => {
      const imports = Snapshots.use((port) => Effect.forEach(snapshots, port.import, { discard: true }))
      const defaults = Layer.succeed(ClientDefaults, { organizationId, serviceId })
      return Layer.merge(defaults, Layer.effectDiscard(imports).pipe(Layer.provideMerge(memoryLayer(organizationId))))
    })
  )
  const { close, run: runNow } = makeRunner(layerExecution(layer))
  // Calls run one after another, in the order in which they were made: concurrent ones would draw ids in any order.
  const queue = Semaphore.makeUnsafe(1)
  const run: typeof runNow = (call, options) => runNow(queue.withPermit(call), options)
  return {
    ...nounsOf<any, ManagementMethods>(managementNouns, run, ({ port }) => port),
    ...nounsOf<any, ObservabilityMethods>(observabilityNouns, run, ({ port }) => port),
    request: (method, path, _, options) =>
      callPromise(
        run(
          Effect.fail(
            new UnexpectedResponse({ message: `a client over memory has no ${method} ${path}: mock its request` })
          ),
          options
        )
      ),
    snapshot: async () => (await run(Snapshots.use((snapshots) => snapshots.export))).data,
    close,
    [Symbol.asyncDispose]: close
  }
}
