import { assert, describe, it } from "@effect/vitest"
import {
  IfMatch,
  type PipeAddress,
  PipeCreate,
  Pipes,
  PipeUpdate,
  SchemaDiscovery,
  type ServiceAddress,
  versionOf
} from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import {
  type PipeRequestName,
  pipeRequests,
  secretMark,
  unknownSources,
  wrongBody,
  wrongPipeRequests
} from "../fixtures/pipeRequests.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { withServiceState } from "../internal/serviceStates.ts"
import { asJson, pipeDocument } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"
import { fewRuns } from "../internal/requests.ts"

const { organizations, pipes: pipeIds, services } = fixtureIds

const service: ServiceAddress = { organizationId: organizations.acme, serviceId: services.ingest }

const readCreate = decodeRequest(PipeCreate)
const readUpdate = decodeRequest(PipeUpdate)
const readDiscovery = decodeRequest(SchemaDiscovery)

const create = (body: unknown, address = service) =>
  Effect.flatMap(readCreate(body), (request) => Pipes.use((pipes) => pipes.create(address, request)))
const update = (address: PipeAddress, body: unknown) =>
  Effect.flatMap(readUpdate(body), (request) => Pipes.use((pipes) => pipes.update(address, request)))
const discover = (body: unknown, address = service) =>
  Effect.flatMap(readDiscovery(body), (request) => Pipes.use((pipes) => pipes.discoverSchema(address, request)))

const writeOnly = ["credentials", "accessKey", "serviceAccountKey", "protobufSchema"]

/** What is answered of what was sent: everything but what is write-only, at any depth. */
const answered = (sent: unknown): unknown => {
  if (Array.isArray(sent)) return sent.map(answered)
  if (!Predicate.isObject(sent)) return sent
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => (writeOnly.includes(name) ? [] : [[name, answered(value)]]))
  )
}

const streamingDefaults = {
  fieldMappings: [],
  scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  settings: {}
}
const hasDefaults = (source: object): boolean =>
  ["kafka", "kinesis", "objectStorage", "pubsub"].some((kind) => kind in source)

const mongoDbDefaults = {
  pullBatchSize: 100_000,
  snapshotNumRowsPerPartition: 100_000,
  snapshotNumberOfParallelTables: 1,
  syncIntervalSeconds: 60
}

/** A source as it is answered: what was sent but for the credentials, and the defaults of MongoDB. */
const answeredSource = (sent: object): unknown => {
  const source = Object(answered(sent))
  const { mongodb } = source
  if (mongodb === undefined) return source
  return { mongodb: { ...mongodb, settings: { ...mongoDbDefaults, ...mongodb.settings } } }
}

/** The answer to a request but for what the service makes. */
const expected = (request: (typeof pipeRequests)[PipeRequestName]): unknown =>
  asJson({
    ...(hasDefaults(request.source) ? streamingDefaults : {}),
    ...Object(answered(request)),
    source: answeredSource(request.source)
  })

/** A pipe as JSON but for what the service makes. */
const sentPart = Effect.fnUntraced(function* (pipe: Parameters<typeof pipeDocument>[0]) {
  const {
    createdAt: _,
    id: _id,
    serviceId: _service,
    state: _state,
    updatedAt: _at,
    ...rest
  } = Object(yield* pipeDocument(pipe))
  return rest
})

const names = Object.entries(pipeRequests)

/**
 * The laws of `create`, `update` and `discoverSchema` of the `Pipes` port: what is answered of each source, each rule
 * of a new pipe, and that no answer holds credentials. Contract: docs/wire-contract.md#create-a-pipe.
 */
export const pipeRequestsLaws = ({ layer, name }: LawsOptions<Pipes>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Pipes>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, organizations.acme)))
    )

  describe(`${name}: laws of the requests of Pipes`, () => {
    law(
      "create answers what was sent but for the credentials, in get and list too, and makes up defaults alone",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        for (const [request, body] of names) {
          const made = yield* create(body)
          assert.strictEqual(made.state, "Provisioning", request)
          assert.strictEqual(made.serviceId, service.serviceId)
          assert.strictEqual(versionOf(made), 1)
          assert.deepStrictEqual(yield* sentPart(made), expected(body), request)
          const read = yield* pipes.get({ ...service, pipeId: made.id })
          assert.deepStrictEqual(yield* sentPart(read), expected(body), request)
        }
        const documents = yield* Effect.forEach(yield* pipes.list(service), pipeDocument)
        assert.notInclude(JSON.stringify(documents), secretMark)
      })
    )

    it.live.prop(
      "create keeps any name and any unknown field beside its source",
      [
        Arbitrary.schema(Schema.String.check(Schema.isBetweenCodePoints(1, 255))),
        Arbitrary.schema(Schema.Record(Schema.String, Schema.Json))
      ],
      ([any, future]) =>
        Effect.flatMap(fixtureSnapshot, (snapshot) =>
          Effect.gen(function* () {
            const body = { ...pipeRequests.kinesis, name: any, future }
            const made = yield* create(body)
            const read = yield* Pipes.use((pipes) => pipes.get({ ...service, pipeId: made.id }))
            assert.deepStrictEqual(yield* sentPart(read), expected(body))
          }).pipe(Effect.provide(layer(snapshot, organizations.acme)))
        ),
      fewRuns
    )

    law(
      "create refuses each broken rule with the path of the field and what is expected, and stores nothing",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const before = (yield* pipes.list(service)).length
        for (const wrong of wrongPipeRequests) {
          const { message } = yield* failsWith(create(wrongBody(wrong)), "InvalidRequest")
          const at = message.indexOf(`${wrong.path}: `)
          const found = at === -1 ? message : message.slice(at + wrong.path.length + 2).split("; ")[0]
          assert.match(found ?? "", wrong.message, `${wrong.request} ${JSON.stringify(wrong.set)}`)
          assert.isAtLeast(at, 0, message)
          assert.notInclude(message, secretMark)
        }
        assert.lengthOf(yield* pipes.list(service), before)
      })
    )

    law(
      "create and update refuse unknown fields of a source with the known name and without the value, and store nothing",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        for (const [request, body] of names) {
          const made = yield* create(body)
          const address = { ...service, pipeId: made.id }
          const stored = yield* pipeDocument(made)
          const before = (yield* pipes.list(service)).length
          for (const { issue, source } of unknownSources(body)) {
            const created = yield* failsWith(create({ ...body, name: "refused", source }), "InvalidRequest")
            const changed = yield* failsWith(update(address, { name: "refused", source }), "InvalidRequest")
            for (const { message } of [created, changed]) {
              assert.include(message, issue, request)
              assert.notInclude(message, secretMark)
            }
          }
          assert.lengthOf(yield* pipes.list(service), before)
          const { state: _, ...after } = Object(yield* pipeDocument(yield* pipes.get(address)))
          const { state: __, ...unchanged } = Object(stored)
          assert.deepStrictEqual(after, unchanged)
        }
      })
    )

    law(
      "create stores the default of a MongoDB setting that is absent or null, and of no other source's",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const { mongodb } = pipeRequests.mongodb.source
        const sent = { replicationMode: "snapshot", pullBatchSize: null, syncIntervalSeconds: 5 }
        const made = yield* create({ ...pipeRequests.mongodb, source: { mongodb: { ...mongodb, settings: sent } } })
        const address = { ...service, pipeId: made.id }
        const settings = { ...mongoDbDefaults, replicationMode: "snapshot", syncIntervalSeconds: 5 }
        assert.deepStrictEqual<unknown>(asJson(made.source?.mongodb?.settings), settings)
        // They are stored: to send one is no change, and to change one keeps the others.
        const same = yield* update(address, { source: { mongodb: { settings: { pullBatchSize: 100_000 } } } })
        assert.strictEqual(versionOf(same), 1)
        const changed = yield* update(address, {
          source: { mongodb: { settings: { snapshotNumberOfParallelTables: 4 } } }
        })
        assert.strictEqual(versionOf(changed), 2)
        const read = yield* pipes.get(address)
        assert.deepStrictEqual<unknown>(asJson(read.source?.mongodb?.settings), {
          ...settings,
          snapshotNumberOfParallelTables: 4
        })
        const { postgres } = (yield* create(pipeRequests.postgresWithRole)).source ?? {}
        assert.deepStrictEqual<unknown>(asJson(postgres?.settings), { replicationMode: "cdc" })
      })
    )

    law(
      "a BigQuery source may leave out its authentication, and is answered without it",
      Effect.gen(function* () {
        const { authentication: _, ...bigquery } = Object(pipeRequests.bigquery.source.bigquery)
        const made = yield* create({ ...pipeRequests.bigquery, source: { bigquery } })
        assert.notProperty(Object(made.source?.bigquery), "authentication")
        const { credentials: _credentials, ...without } = bigquery
        const { message } = yield* failsWith(
          create({ ...pipeRequests.bigquery, source: { bigquery: without } }),
          "InvalidRequest"
        )
        assert.include(message, "source.bigquery.credentials.serviceAccountFile: Missing")
      })
    )

    law(
      "a kinesis timestamp may be a number as text, and is answered as a number",
      Effect.gen(function* () {
        const { kinesis } = pipeRequests.kinesis.source
        const made = yield* create({
          ...pipeRequests.kinesis,
          source: { kinesis: { ...kinesis, timestamp: "1769860800" } }
        })
        assert.strictEqual(made.source?.kinesis?.timestamp, 1_769_860_800)
      })
    )

    law(
      "create ignores what only the service makes",
      Effect.gen(function* () {
        const sent = { id: "x", serviceId: "x", state: "Running", createdAt: "x", updatedAt: "x" }
        const made = yield* create({ ...pipeRequests.kafka, ...sent })
        for (const [field, value] of Object.entries(sent)) assert.notStrictEqual<unknown>(made[field], value)
      })
    )

    law(
      "a pipe that is created paused does not run",
      Effect.gen(function* () {
        const made = yield* create({ ...pipeRequests.kafka, startPaused: true })
        assert.strictEqual(made.state, "Provisioning")
        assert.notProperty(made, "startPaused")
      })
    )

    law(
      "create and discoverSchema fail for a service of no or another organization",
      Effect.gen(function* () {
        const { source } = pipeRequests.kafka
        for (const serviceId of [services.unknown, services.globex]) {
          yield* failsWith(create(pipeRequests.kafka, { ...service, serviceId }), "ServiceNotFound")
          yield* failsWith(discover({ source }, { ...service, serviceId }), "ServiceNotFound")
        }
        const elsewhere = { ...service, organizationId: organizations.globex }
        yield* failsWith(create(pipeRequests.kafka, elsewhere), "ServiceNotFound", "Forbidden")
      })
    )

    it.live("create, update and discoverSchema fail with FailedDependency while the service is idle", () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.gen(function* () {
          const { source } = pipeRequests.kafka
          yield* failsWith(create(pipeRequests.kafka), "FailedDependency")
          yield* failsWith(update({ ...service, pipeId: pipeIds.kafka }, { name: "x" }), "FailedDependency")
          yield* failsWith(discover({ source }), "FailedDependency")
        }).pipe(Effect.provide(layer(withServiceState(snapshot, service.serviceId, "idle"), organizations.acme)))
      )
    )

    law(
      "update changes what it names, keeps the rest, and counts as a change of the caller",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const made = yield* create(pipeRequests.kafka)
        const address = { ...service, pipeId: made.id }
        const changes = { name: "new", source: { kafka: { topics: "refunds", consumerGroup: null } } }
        const updated = yield* update(address, changes)
        assert.strictEqual(versionOf(updated), 2)
        const { consumerGroup: _, ...kafka } = Object(answered(pipeRequests.kafka.source)).kafka
        const after = {
          ...Object(expected(pipeRequests.kafka)),
          name: "new",
          source: { kafka: { ...kafka, topics: "refunds" } }
        }
        assert.deepStrictEqual(yield* sentPart(updated), after)
        assert.deepStrictEqual(yield* sentPart(yield* pipes.get(address)), after)
      })
    )

    law(
      "update with nothing that changes keeps the version and the time",
      Effect.gen(function* () {
        const made = yield* create(pipeRequests.kafka)
        const address = { ...service, pipeId: made.id }
        for (const body of [{}, { name: null }, { name: made.name, source: { kafka: { credentials: null } } }]) {
          const same = yield* update(address, body)
          assert.strictEqual(versionOf(same), 1)
          assert.deepStrictEqual<unknown>(asJson(same.updatedAt), asJson(made.updatedAt))
        }
      })
    )

    law(
      "update keeps the credentials for a later change of the same method, and needs others for another",
      Effect.gen(function* () {
        for (const [request, body] of names) {
          const made = yield* create(body)
          const [kind = ""] = Object.keys(body.source)
          const updated = yield* update({ ...service, pipeId: made.id }, { name: "new", source: { [kind]: {} } })
          assert.strictEqual(updated.name, "new", request)
          assert.notInclude(JSON.stringify(yield* pipeDocument(updated)), secretMark)
        }
        const made = yield* create(pipeRequests.kafka)
        const changes = { source: { kafka: { authentication: "SCRAM-SHA-512" } } }
        const { message } = yield* failsWith(update({ ...service, pipeId: made.id }, changes), "InvalidRequest")
        assert.include(message, "source.kafka.credentials.username: Missing")
      })
    )

    law(
      "update refuses another kind of source, and tables while the pipe is neither paused nor stopped",
      Effect.gen(function* () {
        const made = yield* create(pipeRequests.postgres)
        const address = { ...service, pipeId: made.id }
        const kind = yield* failsWith(update(address, { source: { kafka: { topics: "t" } } }), "InvalidRequest")
        assert.include(kind.message, "source.kafka: Expected no other kind")
        const refunds = { sourceSchemaName: "public", sourceTable: "refunds", targetTable: "refunds" }
        const changes = { source: { postgres: { tableMappingsToAdd: [refunds] } } }
        const tables = yield* failsWith(update(address, changes), "InvalidRequest")
        assert.include(tables.message, "must be paused to edit")
      })
    )

    law(
      "update fails with PipeNotFound without a pipe, and with PreconditionFailed for another version",
      Effect.gen(function* () {
        yield* failsWith(update({ ...service, pipeId: pipeIds.unknown }, { name: "x" }), "PipeNotFound")
        const made = yield* create(pipeRequests.kafka)
        const change = update({ ...service, pipeId: made.id }, { name: "x" })
        yield* failsWith(Effect.provideService(change, IfMatch, 7), "PreconditionFailed")
        assert.strictEqual((yield* Effect.provideService(change, IfMatch, 1)).name, "x")
      })
    )

    law(
      "discoverSchema answers fields for a stream or files, and refuses what create refuses",
      Effect.gen(function* () {
        for (const body of [
          pipeRequests.kafka,
          pipeRequests.kinesis,
          pipeRequests.objectStorage,
          pipeRequests.pubsub
        ]) {
          const { fields } = yield* discover({ source: body.source })
          assert.isNotEmpty(fields)
          for (const field of fields ?? []) assert.isString(field.type)
          for (const { issue, source } of unknownSources(body)) {
            assert.include((yield* failsWith(discover({ source }), "InvalidRequest")).message, issue)
          }
        }
        const { message } = yield* failsWith(discover({ source: { kafka: { topics: "t" } } }), "InvalidRequest")
        assert.include(message, "source.kafka.brokers: Missing")
        yield* failsWith(discover({ source: pipeRequests.postgres.source }), "InvalidRequest")
      })
    )
  })
}
