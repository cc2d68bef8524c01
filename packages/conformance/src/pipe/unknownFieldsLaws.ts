import { assert, describe, it } from "@effect/vitest"
import { PipeCreate, type PipeId, Pipes, PipeUpdate, type ServiceAddress, Snapshot, Snapshots } from "@headgate/core"
import { decodeRequest, UnknownFields } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { pipeRequests, secretMark, unknownSources } from "../fixtures/pipeRequests.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { pipeDocument } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = Pipes | Snapshots

const { organizations, services } = fixtureIds

const service: ServiceAddress = { organizationId: organizations.acme, serviceId: services.ingest }

const readCreate = decodeRequest(PipeCreate)
const readUpdate = decodeRequest(PipeUpdate)

const create = (body: unknown) =>
  Effect.flatMap(readCreate(body), (request) => Pipes.use((pipes) => pipes.create(service, request)))
const update = (pipeId: PipeId, body: unknown) =>
  Effect.flatMap(readUpdate(body), (request) => Pipes.use((pipes) => pipes.update({ ...service, pipeId }, request)))

const keep = Effect.provideService(UnknownFields, "keep")

const decodeSnapshot = Schema.decodeUnknownEffect(Snapshot)
const textOf = Schema.encodeEffect(Schema.fromJsonString(Snapshot))

/** Everything that answers and exports without secrets show of the pipes. */
const shown = Effect.gen(function* () {
  const pipes = yield* Pipes
  const listed = yield* pipes.list(service)
  const read = yield* Effect.forEach(listed, ({ id }) => pipes.get({ ...service, pipeId: id }))
  const documents = yield* Effect.forEach([...listed, ...read], pipeDocument)
  return `${JSON.stringify(documents)}${yield* textOf(yield* Snapshots.use((snapshots) => snapshots.export))}`
})

const secretName = (id: PipeId) => `pipe/${id}/source.$unknownFields`

/** A snapshot with one pipe, whose source has unknown fields. */
const withUnknown = Effect.gen(function* () {
  const { organizations } = yield* fixtureSnapshot
  const credentails = { username: "u", password: `${secretMark}imported` }
  const { kafka } = pipeRequests.kafkaWithRole.source
  const source = {
    kafka: { ...kafka, credentails, offset: { strategy: "from_latest", auth: credentails } },
    auth: credentails
  }
  const pipe = { id: fixtureIds.pipes.unknown, serviceId: services.ingest, name: "imported", state: "Stopped", source }
  const [acme, ...others] = organizations
  return yield* decodeSnapshot({
    organizations: [{ id: acme?.id, name: "Acme", services: [{ id: services.ingest, name: "ingest", pipes: [pipe] }] }]
  }).pipe(
    Effect.orDie,
    Effect.map((snapshot): Snapshot => ({ organizations: [...snapshot.organizations, ...others] }))
  )
})

/** The pipe of {@link withUnknown} is not refused its unknown fields, and others are. */
const holdsUnknown = Effect.gen(function* () {
  const id = fixtureIds.pipes.unknown
  assert.notInclude(yield* shown, secretMark)
  const source = {
    kafka: { credentails: { password: `${secretMark}new` }, offset: { strategy: "from_latest", auth: 1 } },
    auth: 1
  }
  const changed = yield* update(id, { source })
  assert.notInclude(JSON.stringify(yield* pipeDocument(changed)), secretMark)
  const { message } = yield* failsWith(update(id, { source: { kafka: { accesKey: 1 } } }), "InvalidRequest")
  assert.include(message, "source.kafka.accesKey: Unknown field")
})

/**
 * The laws of `UnknownFields`: unknown fields of a source that are kept or imported are in no answer and no export without secrets,
 * and stay with their pipe. That others are refused is a law of {@link pipeRequestsLaws}.
 */
export const unknownFieldsLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Ports>, snapshot = fixtureSnapshot) =>
    it.live(title, () =>
      Effect.flatMap(snapshot, (snapshot) => Effect.provide(body, layer(snapshot, organizations.acme)))
    )

  describe(`${name}: laws of UnknownFields`, () => {
    law(
      "unknown fields of a source that are kept are in no answer and no export without secrets",
      Effect.gen(function* () {
        const pipes: Array<{ readonly id: PipeId; readonly issue: string }> = []
        for (const [request, body] of Object.entries(pipeRequests)) {
          for (const { isMisspelt, issue, source } of unknownSources(body)) {
            const made = yield* keep(create(isMisspelt ? body : { ...body, source }))
            // A source needs its credentials: their misspelt name is in a change.
            const changed = yield* keep(update(made.id, { name: "changed", source }))
            for (const pipe of [made, changed]) {
              assert.notInclude(JSON.stringify(yield* pipeDocument(pipe)), secretMark, request)
            }
            pipes.push({ id: made.id, issue })
          }
        }
        const { secrets } = yield* Snapshots.use((snapshots) => snapshots.exportWithSecrets)
        for (const { id, issue } of pipes) {
          // Credentials keep what is in them.
          const isKept = secrets?.values[secretName(id)] !== undefined
          assert.strictEqual(isKept, !/\.(credentials|accessKey|serviceAccountKey)\.extra/.test(issue), issue)
        }
        assert.notInclude(yield* shown, secretMark)
      })
    )

    law("unknown fields of an imported source are in no answer, and a change may have them", holdsUnknown, withUnknown)

    law(
      "unknown fields of a source are restored by an export with secrets",
      Effect.gen(function* () {
        const snapshots = yield* Snapshots
        const snapshot = yield* snapshots.exportWithSecrets
        assert.isDefined(snapshot.secrets?.values[secretName(fixtureIds.pipes.unknown)])
        const text = yield* textOf(snapshot)
        yield* snapshots.replace(yield* Schema.decodeEffect(Schema.fromJsonString(Snapshot))(text))
        assert.strictEqual(yield* textOf(yield* snapshots.exportWithSecrets), text)
        yield* holdsUnknown
      }),
      withUnknown
    )
  })
}
