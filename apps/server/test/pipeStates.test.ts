import { assert, describe, layer } from "@effect/vitest"
import { clickhouse } from "@headgate/http-contract"
import { StepLength } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import { as, pipePath, environment } from "./support/environment.ts"

const authorization = as("admin")
const pipeId = "00000000-0000-4000-8000-000000000abc"
const address = { organizationId, serviceId, pipeId }
const pipe = { id: pipeId, serviceId, name: "moving", state: "Provisioning", source: { mysql: { host: "db" } } }
const [sample, other] = environment.organizations
const snapshot = {
  organizations: [{ ...sample, services: [{ id: serviceId, name: "service", pipes: [pipe] }] }, other]
}
const path = pipePath(pipeId, { segment: "clickpipes" })

const status = Effect.map(call(`${path}/status`, { authorization }), ({ json }) => json.result)
const command = (command: string) => call(`${path}/state`, { authorization, method: "PATCH", body: { command } })
const forward = (forwardMs: unknown) => call("/_admin/clock", { body: { forwardMs } })
const hold = (body: object) => call("/_admin/pipe-state", { method: "PUT", body: { ...address, ...body } })

const longSteps = Layer.succeed(StepLength, Duration.hours(1))
const hour = 3_600_000

describe("the states of a pipe over HTTP", () => {
  layer(memoryServer(snapshot, { admin: true, dialect: clickhouse }).pipe(Layer.provide(longSteps)))((it) => {
    it.effect(
      "/_admin lets time pass, holds a pipe and lets it fail; commands refuse in the words of the dialect",
      () =>
        Effect.gen(function* () {
          assert.deepInclude(yield* status, { state: "Provisioning", next: "Setup", message: null, simulated: true })
          assert.deepStrictEqual((yield* forward(2 * hour)).json, { forwardMs: 2 * hour })
          assert.deepInclude(yield* status, { state: "Snapshot", next: "Running" })
          yield* forward(hour)
          assert.deepInclude(yield* status, { state: "Running", next: null, due: null })

          const running = yield* command("start")
          assert.strictEqual(running.status, 400)
          assert.include(running.json.error, "ClickPipe is already running")

          const held = yield* hold({ state: "Failed", message: "the server does not answer" })
          assert.deepStrictEqual([held.status, held.json], [200, { state: "Failed" }])
          yield* forward(hour)
          assert.deepInclude(yield* status, { state: "Failed", message: "the server does not answer" })
          const started = yield* command("start")
          assert.deepStrictEqual([started.status, started.json.result.state], [200, "Setup"])
          assert.deepInclude(yield* status, { message: null, next: "Running" })

          assert.strictEqual((yield* command("stop")).json.result.state, "Pausing")
          const pausing = yield* command("start")
          assert.deepStrictEqual(
            [pausing.status, pausing.json.error.startsWith("CONFLICT: ClickPipe is pausing")],
            [409, true]
          )
        })
    )

    it.effect("/_admin names what is wrong with a state or a time", () =>
      Effect.gen(function* () {
        const unknown = yield* hold({ pipeId: "00000000-0000-4000-8000-00000000dead", state: "Failed" })
        assert.strictEqual(unknown.status, 404)
        const wrong = yield* hold({ state: 1, message: "x".repeat(4097), mesage: "" })
        assert.strictEqual(wrong.status, 400)
        for (const field of ["state", "message", "mesage"]) assert.include(wrong.json.error, `${field}: `)
        for (const ms of [-1, 86_400_001, "1h"]) assert.strictEqual((yield* forward(ms)).status, 400)
      })
    )

    it.effect("settings have the names of the dialect", () =>
      Effect.gen(function* () {
        const put = (body: object) => call(`${path}/settings`, { authorization, method: "PUT", body })
        const settings = { clickhouse_max_threads: 8, kafka_read_committed: true }
        assert.deepStrictEqual((yield* put({ ...settings, streaming_max_insert_wait_ms: null })).json.result, settings)
        assert.deepStrictEqual((yield* call(`${path}/settings`, { authorization })).json.result, settings)
        const { json, status } = yield* put({ clickhouse_max_threads: 65 })
        assert.deepStrictEqual(
          [status, json.error],
          [400, "BAD_REQUEST: clickhouse_max_threads: Expected a whole number from 0 to 64"]
        )
      })
    )
  })
})
