import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { PipeCreate, Pipes, Snapshots } from "@headgate/core"
import { MovedPipes, PipeMover } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerTemporary } from "./temporaryDatabase.ts"

const service = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
const bound = {
  ...PipeMover.defaultValue(),
  warehouses: new Set(["events"]),
  checkDestination: () => Effect.succeed("events")
}

it.live("a deleted pipe that an older version let move again is not cleaned up until it is deleted again", () =>
  Effect.gen(function* () {
    yield* Effect.flatMap(fixtureSnapshot, (snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot)))
    const sql = yield* SqlClient
    const pipes = yield* Pipes
    const moved = yield* MovedPipes
    const create = pipes.create(service, Schema.decodeUnknownSync(PipeCreate)(pipeRequests.kafka))
    const { id } = yield* Effect.provideService(create, PipeMover, bound)
    yield* sql`
      INSERT INTO deleted_pipe (id, organization_id, document, credentials, warehouse, deleted_at)
      SELECT id, organization_id, document, credentials, warehouse, 0 FROM pipe WHERE id = ${id}`
    const found = Effect.map(Effect.all([moved.deleted(), moved.findDeleted(id)]), ([deleted, one]) => [
      deleted.length,
      one !== undefined
    ])
    assert.deepStrictEqual(yield* found, [0, false])
    yield* pipes.delete({ ...service, pipeId: id })
    assert.deepStrictEqual(yield* found, [1, true])
  }).pipe(Effect.provide(layerTemporary()), Effect.scoped)
)
