import { assert, describe, it } from "@effect/vitest"
import {
  ApiKeys,
  type PipeAddress,
  Pipes,
  ReversePrivateEndpointId,
  RoleId,
  type Snapshot,
  Snapshots
} from "@headgate/core"
import { Authenticator, type ImportSummary, OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { dashboardDocuments, pipeDocument } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"
import { fixtureSize, importFixture, importSnapshot, type SnapshotPorts, type SnapshotSuite } from "./SnapshotSuite.ts"
import { contradictions, newOrganization } from "./contradictions.ts"
import { exportLaws } from "./exportLaws.ts"
import { replaceLaws } from "./replaceLaws.ts"

/** How many documents of each kind an organization has. */
const counts = (count: number) => Record.map(fixtureDocuments, () => count)

const { organizations, pipes: pipeIds, services } = fixtureIds

const kafka: PipeAddress = {
  organizationId: organizations.acme,
  serviceId: services.ingest,
  pipeId: pipeIds.kafka
}

const addressesOf = (snapshot: Snapshot): ReadonlyArray<PipeAddress> =>
  snapshot.organizations.flatMap(({ id: organizationId, services: held = [] }) =>
    held.flatMap(({ id: serviceId, pipes = [] }) =>
      pipes.map(({ id: pipeId }) => ({ organizationId, serviceId, pipeId }))
    )
  )

/** Everything in the snapshot, as the ports return it. */
const stateOf = Effect.fnUntraced(function* (snapshot: Snapshot) {
  const pipes = yield* Pipes
  const dashboards = yield* OrganizationDashboards
  const authenticator = yield* Authenticator
  const credentials = [...Object.values(fixtureCredentials.keys), ...Object.values(fixtureCredentials.tokens)]
  return {
    organizations: yield* Snapshots.use((snapshots) => snapshots.organizations),
    pipes: yield* Effect.forEach(addressesOf(snapshot), (address) =>
      pipes.get(address).pipe(
        Effect.flatMap(pipeDocument),
        Effect.catchTag("PipeNotFound", () => Effect.succeed(null))
      )
    ),
    dashboards: yield* Effect.forEach(snapshot.organizations, ({ id }) =>
      Effect.flatMap(dashboards.of(id).list(), dashboardDocuments)
    ),
    principals: yield* Effect.forEach(credentials, (each) =>
      authenticator
        .authenticate(each, "192.0.2.7")
        .pipe(Effect.catchTag(["Unauthorized", "Forbidden"], (error) => Effect.succeed(error._tag)))
    )
  }
})

/**
 * The laws of the `Snapshots` port: what is imported shows in every other port, and an export makes the same service.
 */
export const snapshotsLaws = ({ layer, name }: LawsOptions<SnapshotPorts>): void => {
  const emptyStore = () => layer({ organizations: [] }, organizations.acme)
  const law: SnapshotSuite["law"] = (title, body) => it.live(title, () => Effect.provide(body, emptyStore()))

  describe(`${name}: laws of Snapshots`, () => {
    law(
      "an empty store has no organizations",
      Effect.gen(function* () {
        const snapshots = yield* Snapshots
        assert.deepStrictEqual(yield* snapshots.organizations, [])
      })
    )

    law(
      "an import adds everything, and organizations returns the counts in order",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* importFixture, { added: fixtureSize, kept: 0 })
        assert.deepStrictEqual(yield* Snapshots.use((snapshots) => snapshots.organizations), [
          {
            id: organizations.acme,
            name: "Acme",
            services: [
              { id: services.ingest, name: "ingest" },
              { id: services.archive, name: "archive" }
            ],
            pipes: 6,
            keys: 8,
            tokens: 1,
            dashboards: 2,
            roles: 0,
            endpoints: 0,
            connections: 2,
            sources: 2,
            ...counts(2)
          },
          {
            id: organizations.globex,
            name: "Globex",
            services: [{ id: services.globex, name: "globex" }],
            pipes: 1,
            keys: 1,
            tokens: 1,
            dashboards: 1,
            roles: 0,
            endpoints: 0,
            connections: 1,
            sources: 1,
            ...counts(1)
          }
        ])
      })
    )

    law(
      "an empty organization is imported",
      Effect.gen(function* () {
        const summary = yield* importSnapshot({ organizations: [{ id: organizations.acme, name: "Acme" }] })
        assert.deepStrictEqual(summary, { added: 1, kept: 0 })
        assert.deepStrictEqual(yield* Snapshots.use((snapshots) => snapshots.organizations), [
          {
            id: organizations.acme,
            name: "Acme",
            services: [],
            pipes: 0,
            keys: 0,
            tokens: 0,
            dashboards: 0,
            roles: 0,
            endpoints: 0,
            connections: 0,
            sources: 0,
            ...counts(0)
          }
        ])
      })
    )

    law(
      "organizations counts each kind of its own",
      Effect.gen(function* () {
        const id = organizations.acme
        const service = { id: services.ingest, name: "ingest" }
        const role = (n: number) => ({ id: RoleId.make(`4011e000-0000-4000-8000-00000000000${n}`), name: `role ${n}` })
        const endpoint = {
          id: ReversePrivateEndpointId.make("3e000000-0000-4000-8000-000000000001"),
          serviceId: service.id,
          type: "VPC_ENDPOINT_SERVICE",
          status: "Ready"
        }
        yield* importSnapshot({
          organizations: [
            {
              id,
              name: "Acme",
              roles: [role(1), role(2)],
              services: [{ ...service, reversePrivateEndpoints: [endpoint] }]
            },
            { id: organizations.globex, name: "Globex", roles: [role(3)] }
          ]
        })
        const summaries = yield* Snapshots.use((snapshots) => snapshots.organizations)
        assert.deepStrictEqual(
          summaries.map(({ endpoints, roles }) => [roles, endpoints]),
          [
            [2, 1],
            [1, 0]
          ]
        )
      })
    )

    law(
      "importing twice changes nothing",
      Effect.gen(function* () {
        const snapshot = yield* fixtureSnapshot
        yield* importSnapshot(snapshot)
        const before = yield* stateOf(snapshot)
        assert.deepStrictEqual(yield* importSnapshot(snapshot), { added: 0, kept: fixtureSize })
        assert.deepStrictEqual(yield* stateOf(snapshot), before)
      })
    )

    law(
      "an import does not change what the store holds already",
      Effect.gen(function* () {
        const snapshot = yield* fixtureSnapshot
        yield* importSnapshot(snapshot)
        const before = yield* stateOf(snapshot)
        const renamed: Snapshot = {
          organizations: snapshot.organizations.map((organization) => ({
            ...organization,
            name: "renamed",
            services: (organization.services ?? []).map((service) => ({
              ...service,
              name: "renamed",
              pipes: (service.pipes ?? []).map((pipe) => ({ ...pipe, name: "renamed", state: "Failed" }))
            })),
            keys: (organization.keys ?? []).map((key) => ({ ...key, roles: [], state: "disabled" as const })),
            tokens: (organization.tokens ?? []).map((token) => ({ ...token, name: "renamed" })),
            dashboards: (organization.dashboards ?? []).map((dashboard) => ({ ...dashboard, name: "renamed" }))
          }))
        }
        assert.deepStrictEqual(yield* importSnapshot(renamed), { added: 0, kept: fixtureSize })
        assert.deepStrictEqual(yield* stateOf(snapshot), before)
      })
    )

    law(
      "a second import keeps later changes and adds a deleted pipe again",
      Effect.gen(function* () {
        const snapshot = yield* fixtureSnapshot
        yield* importSnapshot(snapshot)
        const before = yield* stateOf(snapshot)
        yield* Pipes.use((pipes) => pipes.delete(kafka))
        yield* ApiKeys.use((keys) => keys.create({ organizationId: organizations.acme }, { name: "in between" }))
        yield* OrganizationDashboards.use((dashboards) =>
          dashboards.of(organizations.acme).create({ name: "in between" })
        )
        assert.deepStrictEqual(yield* importSnapshot(snapshot), { added: 1, kept: fixtureSize - 1 })
        const after = yield* stateOf(snapshot)
        assert.deepStrictEqual(after.pipes, before.pipes)
        const [acme] = after.organizations
        assert.deepStrictEqual([acme?.pipes, acme?.keys, acme?.dashboards], [6, 9, 3])
      })
    )

    law(
      "a second import adds to the first",
      Effect.gen(function* () {
        const snapshot = yield* fixtureSnapshot
        const [acme, globex] = snapshot.organizations
        assert.isDefined(acme)
        assert.isDefined(globex)
        const first = yield* importSnapshot({ organizations: [globex] })
        const second = yield* importSnapshot(snapshot)
        assert.strictEqual(first.added + second.added, fixtureSize)
        assert.strictEqual(second.kept, first.added)
        const held = yield* Snapshots.use((snapshots) => snapshots.organizations)
        assert.deepStrictEqual(
          held.map(({ id }) => id),
          [globex.id, acme.id]
        )
      })
    )

    law(
      "concurrent imports add everything once",
      Effect.gen(function* () {
        const snapshot = yield* fixtureSnapshot
        const summaries = yield* Effect.forEach(Array.from({ length: 5 }), () => importSnapshot(snapshot), {
          concurrency: "unbounded"
        })
        const sum = (field: keyof ImportSummary) => summaries.reduce((total, summary) => total + summary[field], 0)
        assert.deepStrictEqual(
          { added: sum("added"), kept: sum("kept") },
          { added: fixtureSize, kept: 4 * fixtureSize }
        )
        const once = yield* Effect.provide(Effect.andThen(importSnapshot(snapshot), stateOf(snapshot)), emptyStore(), {
          local: true
        })
        assert.deepStrictEqual(yield* stateOf(snapshot), once)
      })
    )

    exportLaws({ law, emptyStore })
    replaceLaws({ law, emptyStore })

    for (const { path, title, toSnapshot } of contradictions) {
      law(
        `${title} is an InvalidRequest that names ${path}, and nothing is stored`,
        Effect.gen(function* () {
          const snapshot = yield* fixtureSnapshot
          yield* importSnapshot(snapshot)
          const before = yield* stateOf(snapshot)
          const error = yield* failsWith(importSnapshot(toSnapshot(snapshot)), "InvalidRequest")
          assert.deepStrictEqual(
            error.issues.map((issue) => issue.path),
            [path]
          )
          assert.include(error.message, path)
          assert.deepStrictEqual(yield* stateOf(snapshot), before)
          // Each of these snapshots holds the new organization. If a part of it had been stored, it would be kept now, not added.
          const later = yield* importSnapshot({ organizations: [newOrganization] })
          assert.deepStrictEqual(later, { added: 6, kept: 0 })
        })
      )
    }
  })
}
