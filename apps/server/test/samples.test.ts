import { assert, layer } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import { PipeMover } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { memory, overSqlite } from "./support/stores.ts"
import { as, environment } from "./support/environment.ts"

const path = `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes/schemaDiscovery`
const fields = [{ name: "id", type: "Int64", optional: false }]
const samples = [["1"], [null]]

const discover = (caller: string) =>
  call(path, { authorization: as(caller), body: { source: pipeRequests.kafka.source } })

const reading = Layer.succeed(PipeMover, {
  ...PipeMover.defaultValue(),
  discover: () => Effect.succeed({ fields, samples })
})

const suite = (store: typeof memory) => {
  layer(Layer.provide(serverOver(store, environment), reading))(`samples of a source over ${store.name}`, (it) => {
    it.effect("are for who may read rows; a developer sees the fields alone", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* discover("admin")).json.result, { fields, samples })
        assert.deepStrictEqual((yield* discover("developer")).json.result, { fields })
        assert.strictEqual((yield* discover("no-roles")).status, 403)
      })
    )
  })

  layer(serverOver(store, environment))(`samples of a simulated source over ${store.name}`, (it) => {
    it.effect("are absent: no row is made up", () =>
      Effect.gen(function* () {
        const { json, status } = yield* discover("admin")
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(json.result), ["fields"])
      })
    )
  })
}

suite(memory)
overSqlite(suite)
