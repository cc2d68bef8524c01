import { assert, describe, it } from "@effect/vitest"
import { Conflict, Pipes, type PortError, Snapshot, Snapshots } from "@headgate/core"
import { IdempotentCreations, OrganizationLimits, organizationUsage, PipeMover } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { countedKinds, type CreatingPorts } from "../internal/countedKinds.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = CreatingPorts | IdempotentCreations | Snapshots

const { acme } = fixtureIds.organizations
const service = { organizationId: acme, serviceId: fixtureIds.services.ingest }
const unlimited = organizationUsage(Infinity)

/** Validates a creation of a port. */
const validateOnly = (create: Effect.Effect<unknown, PortError>) =>
  IdempotentCreations.use((creations) => creations.validateOnly(create))

/** All that a store exports, as JSON. */
const content = Effect.flatMap(
  Snapshots.use((snapshots) => snapshots.export),
  Schema.encodeEffect(Schema.fromJsonString(Snapshot))
)

/**
 * The laws of a creation that is only validated: it fails as the creation would, and whether it does or not, the store holds afterwards
 * what it held before.
 */
export const validateOnlyLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Ports>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme))))

  describe(`${name}: laws of creations that are only validated`, () => {
    for (const [kind, make] of Object.entries(countedKinds)) {
      law(
        `${kind}: nothing is stored or counted, whether the creation would succeed or not`,
        Effect.gen(function* () {
          const { count, create } = yield* make
          const [held, before] = [yield* count, yield* content]
          const upTo = (most: number) => Effect.provideService(OrganizationLimits, { ...unlimited, [kind]: most })
          yield* validateOnly(create)
          // Three of them fit where one more does.
          for (let n = 0; n < 3; n++) yield* upTo(held + 1)(validateOnly(create))
          const refused = yield* failsWith(upTo(held)(validateOnly(create)), "Conflict")
          assert.strictEqual(refused.message, (yield* failsWith(upTo(held)(create), "Conflict")).message)
          const bytes = { ...unlimited, documentBytes: 1 }
          yield* failsWith(Effect.provideService(validateOnly(create), OrganizationLimits, bytes), "Conflict")
          assert.strictEqual(yield* content, before)
          assert.strictEqual(yield* count, held)
          yield* upTo(held + 1)(create)
          assert.strictEqual(yield* count, held + 1)
        })
      )

      it.live(`${kind}: fails in an organization that the store does not have`, () =>
        Effect.gen(function* () {
          const { create } = yield* make
          const expected = yield* Effect.flip(create)
          assert.deepStrictEqual(yield* Effect.flip(validateOnly(create)), expected)
        }).pipe(Effect.provide(layer({ organizations: [] }, acme)))
      )
    }

    law(
      "a pipe: what its mover finds wrong with its source is found, and it is asked as for a creation",
      Effect.gen(function* () {
        const { create } = yield* countedKinds.pipes
        const before = yield* content
        let asked = 0
        const mover = {
          ...PipeMover.defaultValue(),
          warehouses: new Set(["events"]),
          checkDestination: () => Effect.sync(() => (asked++ === 0 ? "events" : undefined))
        }
        yield* Effect.provideService(validateOnly(create), PipeMover, mover)
        assert.strictEqual(asked, 1)
        const refused = yield* Effect.provideService(Effect.flip(validateOnly(create)), PipeMover, {
          ...mover,
          checkDestination: () => Effect.fail(new Conflict({ message: "the table is another organization's" }))
        })
        assert.strictEqual(refused.message, "the table is another organization's")
        assert.strictEqual(yield* content, before)
      })
    )

    law(
      "a body that is wrong is refused with the same fields",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const wrong = pipes.create(service, { name: "", source: {}, destination: { database: "default" } })
        const expected = yield* failsWith(wrong, "InvalidRequest")
        const found = yield* failsWith(validateOnly(wrong), "InvalidRequest")
        assert.isAbove(expected.issues.length, 0)
        assert.deepStrictEqual(found.issues, expected.issues)
      })
    )

    law(
      "creations at the same time are stored, those that are only validated are not",
      Effect.gen(function* () {
        const { count, create } = yield* countedKinds.dashboards
        const held = yield* count
        yield* Effect.forEach(Array.from({ length: 20 }), (_, n) => (n % 2 === 0 ? create : validateOnly(create)), {
          concurrency: "unbounded"
        })
        assert.strictEqual(yield* count, held + 10)
      })
    )
  })
}
