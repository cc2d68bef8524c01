import { assert, describe, it } from "@effect/vitest"
import { CdcScaling, type ServiceAddress, type Snapshot } from "@headgate/core"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { withServiceState } from "../internal/serviceStates.ts"

const { organizations, services: ids } = fixtureIds
const ingest: ServiceAddress = { organizationId: organizations.acme, serviceId: ids.ingest }

/** The laws of the `CdcScaling` port. They need only the port, so they also run over an adapter for a network. */
export const cdcScalingLaws = ({ layer, name }: LawsOptions<CdcScaling>): void => {
  const law = (
    title: string,
    body: Effect.Effect<void, unknown, CdcScaling>,
    change: (snapshot: Snapshot) => Snapshot = (snapshot) => snapshot
  ) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.provide(body, layer(change(snapshot), ingest.organizationId))
      )
    )

  describe(`${name}: laws of CdcScaling`, () => {
    law(
      "a size that nobody has changed is 2 cores and 8 GB",
      Effect.gen(function* () {
        const scaling = yield* CdcScaling
        assert.deepStrictEqual(yield* scaling.get(ingest), { replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
      })
    )

    for (const [update, expected] of [
      [{ replicaCpuMillicores: 4000, replicaMemoryGb: 16 }, [4000, 16]],
      [{ replicaCpuMillicores: 32_000 }, [32_000, 128]],
      [{ replicaMemoryGb: 4 }, [1000, 4]],
      [{ replicaCpuMillicores: null, replicaMemoryGb: 12 }, [3000, 12]],
      [{}, [2000, 8]]
    ] as const) {
      law(
        `update to ${JSON.stringify(update)} returns the whole size, which get then returns, for this service alone`,
        Effect.gen(function* () {
          const scaling = yield* CdcScaling
          const [replicaCpuMillicores, replicaMemoryGb] = expected
          assert.deepStrictEqual(yield* scaling.update(ingest, update), { replicaCpuMillicores, replicaMemoryGb })
          assert.deepStrictEqual(yield* scaling.get(ingest), { replicaCpuMillicores, replicaMemoryGb })
          const other = yield* scaling.get({ ...ingest, serviceId: ids.archive })
          assert.deepStrictEqual(other, { replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
        })
      )
    }

    for (const [update, path] of [
      [{ replicaCpuMillicores: 1500 }, "replicaCpuMillicores"],
      [{ replicaCpuMillicores: 33_000 }, "replicaCpuMillicores"],
      [{ replicaCpuMillicores: 0 }, "replicaCpuMillicores"],
      [{ replicaMemoryGb: 6 }, "replicaMemoryGb"],
      [{ replicaMemoryGb: 132 }, "replicaMemoryGb"],
      [{ replicaCpuMillicores: 2000, replicaMemoryGb: 16 }, "replicaMemoryGb"]
    ] as const) {
      law(
        `update to ${JSON.stringify(update)} is an InvalidRequest that names ${path}, and changes nothing`,
        Effect.gen(function* () {
          const scaling = yield* CdcScaling
          const { message } = yield* failsWith(scaling.update(ingest, update), "InvalidRequest")
          assert.include(message, `${path}: Expected`)
          assert.deepStrictEqual(yield* scaling.get(ingest), { replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
        })
      )
    }

    law(
      "get and update fail with ServiceNotFound for an unknown service",
      Effect.gen(function* () {
        const scaling = yield* CdcScaling
        for (const serviceId of [ids.unknown, ids.globex]) {
          const address = { ...ingest, serviceId }
          for (const call of [scaling.get(address), scaling.update(address, { replicaMemoryGb: 8 })]) {
            assert.deepStrictEqual((yield* failsWith(call, "ServiceNotFound")).address, address)
          }
        }
      })
    )

    law(
      "update fails with FailedDependency while the service is idle, and get goes on",
      Effect.gen(function* () {
        const scaling = yield* CdcScaling
        yield* failsWith(scaling.update(ingest, { replicaMemoryGb: 16 }), "FailedDependency")
        assert.strictEqual((yield* scaling.get(ingest)).replicaMemoryGb, 8)
      }),
      (snapshot) => withServiceState(snapshot, ids.ingest, "idle")
    )
  })
}
