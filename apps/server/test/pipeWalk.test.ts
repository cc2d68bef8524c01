import { assert, describe, it } from "@effect/vitest"
import { pipeRequests, secretMark } from "@headgate/conformance/fixtures"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import { assertUpstreamShape } from "./support/upstream.ts"
import { as, environment } from "./support/environment.ts"

type Json = Readonly<Record<string, any>>

const writeOnly = new Set(["credentials", "accessKey", "serviceAccountKey", "protobufSchema"])

/** What is answered of what was sent: everything but what is write-only, at any depth. */
const answered = (sent: unknown): any => {
  if (Array.isArray(sent)) return sent.map(answered)
  if (typeof sent !== "object" || sent === null) return sent
  const kept = Object.entries(sent).filter(([name]) => !writeOnly.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, answered(value)]))
}

/** What the service makes itself. */
const made = ["id", "serviceId", "state", "createdAt", "updatedAt"]

const scaling = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 }
const mongoDbSettings = {
  pullBatchSize: 100_000,
  snapshotNumRowsPerPartition: 100_000,
  snapshotNumberOfParallelTables: 1,
  syncIntervalSeconds: 60
}
const tables = ["postgres", "mysql", "mongodb", "bigquery"]

const [sample] = environment.organizations
const withoutPipes = { organizations: [{ ...sample, services: [{ id: serviceId, name: "service" }] }] }
const collection = "/v1/organizations/{organizationId}/services/{serviceId}/clickpipes"
const one = `${collection}/{clickPipeId}`

/** Sends an operation of a pipe, as the published document of the real service writes it, once the pipe rests. */
const send = Effect.fnUntraced(function* (dialect: Dialect, operation: string, id: string, body?: unknown) {
  const [method = "", template = ""] = operation.split(" ")
  const path = template
    .replace("{organizationId}", organizationId)
    .replace("{serviceId}", serviceId)
    .replace("{clickPipeId}", id)
    .replace("/clickpipes", `/${dialect.pipesSegment}`)
  yield* TestClock.adjust("10 seconds")
  const answer = yield* call(path, { method, authorization: as("admin"), ...(body === undefined ? {} : { body }) })
  assert.notInclude(answer.text, secretMark, operation)
  if (dialect === clickhouse && answer.status === 200) assertUpstreamShape(operation, answer.json)
  return answer
})

// Only `npm run test:long` walks in both dialects. This one has published documents to compare each answer with.
const walked = process.env["HEADGATE_LONG_TESTS"] === "1" ? [clickhouse, neutral] : [clickhouse]

describe.each(walked)("a pipe from its creation to its end, in the $name dialect", (dialect) => {
  it.effect.each(Object.entries(pipeRequests))("%s keeps each field that was sent, and gets no other", ([, request]) =>
    Effect.gen(function* () {
      const [kind = ""] = Object.keys(request.source)
      const isDatabase = tables.includes(kind)
      const rest = isDatabase ? "Paused" : "Stopped"
      let id = ""
      let expected: Json = { ...(isDatabase ? {} : { fieldMappings: [], scaling, settings: {} }), ...answered(request) }
      if (kind === "mongodb") {
        const { mongodb } = expected["source"]
        const settings = { ...mongoDbSettings, ...mongodb.settings }
        expected = { ...expected, source: { mongodb: { ...mongodb, settings } } }
      }

      /** Sends an operation that succeeds; its answer, and what is read afterwards, is the pipe as it was sent. */
      const keeps = Effect.fnUntraced(function* (operation: string, body?: object) {
        const { json, status, text } = yield* send(dialect, operation, id, body)
        assert.strictEqual(status, 200, `${operation} ${JSON.stringify(body)}: ${text}`)
        id = json.result.id
        const read = (yield* send(dialect, `GET ${one}`, id)).json.result
        for (const pipe of [json.result, read]) {
          const fields = Object.entries(pipe).filter(([name]) => !made.includes(name))
          assert.deepStrictEqual<unknown>(Object.fromEntries(fields), expected, operation)
          for (const name of made) assert.isString(pipe[name], `${operation}: ${name}`)
        }
        return read.state
      })

      assert.strictEqual(yield* keeps(`POST ${collection}`, { ...request, startPaused: true }), rest)
      expected = { ...expected, name: "renamed" }
      assert.strictEqual(yield* keeps(`PATCH ${one}`, { name: "renamed" }), rest)
      expected = { ...expected, scaling: { ...expected["scaling"], replicas: 2 } }
      assert.strictEqual(yield* keeps(`PATCH ${one}/scaling`, { replicas: 2 }), rest)
      if (isDatabase) {
        const source = expected["source"][kind]
        const [mapping] = source.tableMappings
        const added = { ...mapping, ["sourceCollection" in mapping ? "sourceCollection" : "sourceTable"]: "refunds" }
        expected = {
          ...expected,
          source: { [kind]: { ...source, tableMappings: [...source.tableMappings, added] } }
        }
        const edited = yield* keeps(`PATCH ${one}`, { source: { [kind]: { tableMappingsToAdd: [added] } } })
        // A pipe that only copies is completed by then.
        if (edited === "Running") {
          assert.strictEqual(yield* keeps(`PATCH ${one}/state`, { command: "stop" }), rest)
          yield* keeps(`PATCH ${one}/state`, { command: "start" })
        }
        yield* keeps(`PATCH ${one}/state`, { command: "resync" })
      } else {
        assert.strictEqual((yield* send(dialect, `PATCH ${one}/state`, id, { command: "resync" })).status, 400)
        yield* keeps(`PATCH ${one}/state`, { command: "start" })
      }
      yield* keeps(`PATCH ${one}/state`, { command: "stop" })
      assert.strictEqual((yield* send(dialect, `DELETE ${one}`, id)).status, 200)
      assert.strictEqual((yield* send(dialect, `GET ${one}`, id)).status, 404)
    }).pipe(Effect.provide(memoryServer(withoutPipes, { dialect })))
  )
})
