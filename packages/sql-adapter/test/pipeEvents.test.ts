import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { type PipeAddress, Pipes, Snapshots } from "@headgate/core"
import { PipeSimulation } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerTemporary } from "./temporaryDatabase.ts"

const address: PipeAddress = {
  organizationId: fixtureIds.organizations.acme,
  serviceId: fixtureIds.services.ingest,
  pipeId: fixtureIds.pipes.kafka
}
const day = 24 * 60 * 60 * 1000

const test = (title: string, body: Effect.Effect<void, unknown, Pipes | PipeSimulation | Snapshots | SqlClient>) =>
  it.live(title, () =>
    Effect.andThen(
      Effect.flatMap(fixtureSnapshot, (snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot))),
      body
    ).pipe(Effect.provide(layerTemporary()), Effect.scoped)
  )

const hold = (state: string) => PipeSimulation.use((simulation) => simulation.hold(address, state))
const states = Effect.map(
  Pipes.use((pipes) => pipes.events(address, {})),
  (events) => events.map(({ to }) => to)
)
const count = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly n: number }>`SELECT count(*) AS n FROM pipe_event`
  return row?.n
})

test(
  "an event of more than 30 days is not answered, and goes with the next write",
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* Effect.forEach(["Failed", "Stopped", "Degraded", "Running"], hold)
    // The first two are too old, the third not quite.
    yield* sql`UPDATE pipe_event SET at = at - ${30 * day + 1000} WHERE position <= 2`
    yield* sql`UPDATE pipe_event SET at = at - ${29 * day} WHERE position = 3`
    assert.deepStrictEqual([yield* states, yield* count], [["Running", "Degraded"], 4])
    yield* hold("Paused")
    assert.deepStrictEqual([yield* states, yield* count], [["Paused", "Running", "Degraded"], 3])
  })
)

test(
  "events go with their pipe, their service and a store that is replaced, and are in no export",
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const exported = JSON.stringify(yield* snapshots.export)
    yield* hold("Failed")
    yield* hold("Running")
    assert.strictEqual(yield* count, 2)
    assert.notInclude(JSON.stringify(yield* snapshots.export), "simulation")
    assert.isAbove(exported.length, 0)
    yield* Effect.flatMap(fixtureSnapshot, (snapshot) => snapshots.replace(snapshot))
    assert.strictEqual(yield* count, 0)
    yield* hold("Failed")
    yield* Pipes.use((pipes) => pipes.delete(address))
    assert.strictEqual(yield* count, 0)
  })
)
