import { assert, describe, it } from "@effect/vitest"
import { type CallError, ConnectionId, type OrganizationId, type PortError, Snapshots, SourceId } from "@headgate/core"
import {
  OrganizationConnections,
  OrganizationLimits,
  OrganizationSources,
  type OrganizationUsage,
  organizationUsage
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { fixtureConnections, fixtureSources } from "../fixtures/sources.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = OrganizationConnections | OrganizationSources | Snapshots

const { acme, globex, unknown } = fixtureIds.organizations

const password = Redacted.make("marked-secret")
const connection = { name: "new", host: "https://new.example.com", password }
const source = { name: "New", kind: "log", connection: ConnectionId.make("c0000000000000000000000a") } as const

/** What the laws do with one kind of documents. */
interface Kind {
  readonly held: number
  readonly create: (organizationId?: OrganizationId, name?: string) => Effect.Effect<unknown, CallError, Ports>
  readonly count: (organizationId?: OrganizationId) => Effect.Effect<number, CallError, Ports>
  readonly removeFirst: Effect.Effect<void, PortError, Ports>
}

const kinds: { readonly [Name in "connections" | "sources"]: Kind } = {
  connections: {
    held: fixtureConnections.acme.length,
    create: (organizationId = acme, name = "new") =>
      OrganizationConnections.use((connections) => connections.of(organizationId).create({ ...connection, name })),
    count: (organizationId = acme) =>
      OrganizationConnections.use((connections) =>
        Effect.map(connections.of(organizationId).list(), ({ length }) => length)
      ),
    removeFirst: OrganizationConnections.use((connections) =>
      connections.of(acme).delete(ConnectionId.make(fixtureConnections.acme[0].id))
    )
  },
  sources: {
    held: fixtureSources.acme.length,
    create: (organizationId = acme, name = "new") =>
      OrganizationSources.use((sources) => sources.of(organizationId).create({ ...source, name })),
    count: (organizationId = acme) =>
      OrganizationSources.use((sources) => Effect.map(sources.of(organizationId).list(), ({ length }) => length)),
    removeFirst: OrganizationSources.use((sources) => sources.of(acme).delete(SourceId.make(fixtureSources.acme[0].id)))
  }
}

/**
 * The laws of `OrganizationConnections` and `OrganizationSources`: organizations are apart, limits are exact, and no export
 * holds a password.
 *
 * @example
 * ```ts
 * import { organizationDocumentsLaws } from "@headgate/conformance"
 * import type { Snapshot, Snapshots } from "@headgate/core"
 * import type { OrganizationConnections, OrganizationSources } from "@headgate/core/adapter"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: the ports over one store that holds the snapshot and nothing else.
 * declare const layer: (snapshot: Snapshot) => Layer.Layer<OrganizationConnections | OrganizationSources | Snapshots>
 *
 * organizationDocumentsLaws({ name: "my adapter", layer })
 * ```
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
          assert.include((yield* failsWith(create(), "Conflict")).message, `${held + 3} ${kind}`)
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
}
