import { assert, describe, it } from "@effect/vitest"
import { ConnectionId, type OrganizationId, type PortError, Snapshots, SourceId, WebhookId } from "@headgate/core"
import {
  type DocumentKindName,
  documentKinds,
  mapKinds,
  OrganizationConnections,
  OrganizationDocuments,
  OrganizationLimits,
  OrganizationSources,
  type OrganizationUsage,
  organizationUsage,
  type OwnedDocuments,
  secretNames
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureConnections, fixtureSources } from "../fixtures/sources.ts"
import { documentAddress, documentRequest } from "../internal/documentRequest.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = OrganizationConnections | OrganizationDocuments | OrganizationSources | Snapshots

const { acme, globex, unknown } = fixtureIds.organizations

const password = Redacted.make("marked-secret")
const connection = { name: "new", host: "https://new.example.com", password }
const sourceOf = (organizationId: OrganizationId) =>
  ({
    kind: "log",
    connection: ConnectionId.make(fixtureConnections[organizationId === globex ? "globex" : "acme"][0].id)
  }) as const

/** What the laws do with one kind of documents. */
interface Kind {
  readonly held: number
  readonly create: (organizationId?: OrganizationId, name?: string) => Effect.Effect<unknown, PortError, Ports>
  readonly count: (organizationId?: OrganizationId) => Effect.Effect<number, PortError, Ports>
  readonly removeFirst: Effect.Effect<void, PortError, Ports>
}

let created = 0

const ofDocuments = (kind: DocumentKindName): Kind => {
  const portOf = (organizationId: OrganizationId) =>
    OrganizationDocuments.useSync(
      (documents): OwnedDocuments<any, any, unknown, PortError> => documents.of(organizationId)[kind]
    )
  const [first] = fixtureDocuments[kind].acme
  return {
    held: fixtureDocuments[kind].acme.length,
    // No two webhooks have one name.
    create: (organizationId = acme, name) =>
      Effect.suspend(() => {
        const request = documentRequest(
          kind,
          name ?? `new ${(created += 1)}`,
          organizationId === globex ? "globex" : "acme"
        )
        return Effect.flatMap(portOf(organizationId), (port) => port.create(request))
      }),
    count: (organizationId = acme) =>
      Effect.flatMap(portOf(organizationId), (port) => Effect.map(port.list(), ({ length }) => length)),
    removeFirst: Effect.flatMap(portOf(acme), (port) => port.delete(documentAddress(kind, first.id)))
  }
}

const kinds: { readonly [Name in DocumentKindName | "connections" | "sources"]: Kind } = {
  ...mapKinds<{ readonly [Name in DocumentKindName]: Kind }>(Struct.keys(documentKinds), ofDocuments),
  connections: {
    held: fixtureConnections.acme.length,
    create: (organizationId = acme, name = "new") =>
      OrganizationConnections.use((connections) => connections.of(organizationId).create({ ...connection, name })),
    count: (organizationId = acme) =>
      OrganizationConnections.use((connections) =>
        Effect.map(connections.of(organizationId).list(), ({ length }) => length)
      ),
    removeFirst: OrganizationConnections.use((connections) =>
      connections.of(acme).delete({ connectionId: ConnectionId.make(fixtureConnections.acme[0].id) })
    )
  },
  sources: {
    held: fixtureSources.acme.length,
    create: (organizationId = acme, name = "new") =>
      OrganizationSources.use((sources) => sources.of(organizationId).create({ ...sourceOf(organizationId), name })),
    count: (organizationId = acme) =>
      OrganizationSources.use((sources) => Effect.map(sources.of(organizationId).list(), ({ length }) => length)),
    removeFirst: OrganizationSources.use((sources) =>
      sources.of(acme).delete({ sourceId: SourceId.make(fixtureSources.acme[0].id) })
    )
  }
}

/**
 * The laws of `OrganizationConnections`, `OrganizationSources` and `OrganizationDocuments`: organizations are apart, limits are
 * exact, secrets that no answer holds are kept and removed, and no export holds one.
 */
export const organizationDocumentsLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, body: Effect.Effect<unknown, unknown, Ports>, limits: Partial<OrganizationUsage> = {}) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        body.pipe(
          Effect.asVoid,
          Effect.provideService(OrganizationLimits, { ...organizationUsage(Infinity), ...limits }),
          Effect.provide(layer(snapshot, acme))
        )
      )
    )

  for (const [kind, { count, create, held, removeFirst }] of Object.entries(kinds)) {
    describe(`${name}: laws of ${kind} of organizations`, () => {
      law(
        "no organization lists what another one creates, and one that the store does not hold has an empty list",
        Effect.gen(function* () {
          yield* create(globex)
          assert.strictEqual(yield* count(), held)
          assert.strictEqual(yield* count(globex), 2)
          assert.strictEqual(yield* count(unknown), 0)
        })
      )

      law(
        "concurrent requests create as many as the limit allows, and one more is a Conflict that names it",
        Effect.gen(function* () {
          const one = create().pipe(
            Effect.as(1),
            Effect.catchTag("Conflict", () => Effect.succeed(0))
          )
          const outcomes = yield* Effect.forEach(Array.from({ length: 10 }), () => one, { concurrency: "unbounded" })
          assert.strictEqual(outcomes.filter((created) => created === 1).length, 3)
          const { message } = yield* failsWith(create(), "Conflict")
          // `savedSearches` are "saved searches".
          assert.include(message.replaceAll(" ", "").toLowerCase(), `${held + 3}${kind}`.toLowerCase())
          assert.strictEqual(yield* count(), held + 3)
          yield* create(globex)
        }),
        { [kind]: held + 3 }
      )

      law(
        "documents count in the limit of bytes",
        Effect.gen(function* () {
          yield* failsWith(create(acme, "x".repeat(255)), "Conflict")
        }),
        { documentBytes: 100 }
      )

      law(
        "a deleted document no longer counts",
        Effect.gen(function* () {
          yield* failsWith(create(), "Conflict")
          yield* removeFirst
          yield* create()
          yield* failsWith(create(), "Conflict")
        }),
        { [kind]: held }
      )
    })
  }

  describe(`${name}: laws of imported connections and sources`, () => {
    law(
      "an import is not limited, keeps what exists, and an export has no password",
      Effect.gen(function* () {
        const snapshots = yield* Snapshots
        const imported = { id: ConnectionId.make("c0000000000000000000000d"), name: "imported", password }
        const organizations = [{ id: acme, name: "Acme", connections: [imported] }]
        assert.strictEqual((yield* snapshots.import({ organizations })).added, 1)
        assert.strictEqual((yield* snapshots.import({ organizations })).added, 0)
        const exported = yield* snapshots.export
        const [first] = exported.organizations
        assert.deepStrictEqual(asJson(first?.connections), [
          ...fixtureConnections.acme,
          { id: imported.id, name: "imported" }
        ])
        assert.deepStrictEqual(asJson(first?.sources), fixtureSources.acme)
      }),
      { connections: 0 }
    )
  })

  describe(`${name}: laws of the secrets of webhooks`, () => {
    const url = Redacted.make("https://hooks.example.com/marked-secret", { label: "url" })
    const headers = Redacted.make({ authorization: "marked-secret" })
    const queryParams = Redacted.make({ token: "marked-secret" })

    /** How many secrets the store holds. An adapter that seals tells no more. */
    const lengthOf = (id: string) =>
      Snapshots.use((snapshots) =>
        Effect.map(snapshots.exportWithSecrets, ({ secrets }) => {
          const held = secrets?.values[secretNames.document("webhooks", id)]
          return held === undefined ? 0 : Redacted.value(held).length
        })
      )

    law(
      "a secret that no answer holds stays while it is absent in an update, and null or an empty object removes it",
      Effect.gen(function* () {
        const { webhooks } = (yield* OrganizationDocuments).of(acme)
        const request = { name: "x", service: "generic", url } as const
        const { id } = yield* webhooks.create({ ...request, headers, queryParams })
        const all = yield* lengthOf(id)
        assert.isAbove(all, 0)
        const {
          createdAt: _,
          updatedAt: __,
          ...updated
        } = yield* webhooks.update({ webhookId: id }, { ...request, name: "y" })
        assert.deepStrictEqual(asJson(updated), asJson({ ...request, name: "y", id }))
        assert.strictEqual(yield* lengthOf(id), all)
        yield* webhooks.update({ webhookId: id }, { ...request, headers: null })
        const fewer = yield* lengthOf(id)
        assert.isBelow(fewer, all)
        yield* webhooks.update({ webhookId: id }, { ...request, queryParams: Redacted.make({}) })
        assert.isBelow(yield* lengthOf(id), fewer)
      })
    )

    law(
      "secrets that are meant for one URL or service are not kept for another one",
      Effect.gen(function* () {
        const { webhooks } = (yield* OrganizationDocuments).of(acme)
        const request = { name: "x", service: "generic", url } as const
        const { id } = yield* webhooks.create(request)
        const none = yield* lengthOf(id)
        const elsewhere = Redacted.make("https://hooks.example.com/marked-elsewh", { label: "url" })
        for (const change of [{ url: elsewhere }, { service: "incidentio" as const }]) {
          const address = { webhookId: id }
          yield* webhooks.update(address, { ...request, headers, queryParams })
          assert.isAbove(yield* lengthOf(id), none)
          yield* webhooks.update(address, { ...request, ...change })
          assert.strictEqual(yield* lengthOf(id), none)
          yield* webhooks.update(address, { ...request, ...change, headers })
          assert.isAbove(yield* lengthOf(id), none)
        }
      })
    )

    law(
      "an import takes the secrets of a webhook, an export has none, and wrong ones are an InvalidRequest that names them",
      Effect.gen(function* () {
        const snapshots = yield* Snapshots
        const imported = { id: WebhookId.make("e0000000000000000000000d"), name: "imported" }
        const withSecrets = (secrets: object) => ({
          organizations: [{ id: acme, name: "Acme", webhooks: [{ ...imported, ...secrets }] }]
        })
        const { message } = yield* failsWith(snapshots.import(withSecrets({ url, headers: "none" })), "InvalidRequest")
        assert.include(message, "organizations[0].webhooks[0].headers: ")
        yield* snapshots.import(withSecrets({ url, headers: { authorization: "marked-secret" } }))
        const [first] = (yield* snapshots.export).organizations
        assert.deepStrictEqual(asJson(first?.webhooks?.at(-1)), imported)
        assert.isAbove(yield* lengthOf(imported.id), 0)
        const { webhooks } = (yield* OrganizationDocuments).of(acme)
        assert.deepStrictEqual(yield* webhooks.get({ webhookId: imported.id }), { ...imported, url })
      })
    )
  })
}
