import { assert, describe, it } from "@effect/vitest"
import { type Service, type ServiceAddress, Services, type Snapshot } from "@headgate/core"
import type { ServiceState } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { withServiceState } from "../internal/serviceStates.ts"

const { organizations, services: ids } = fixtureIds
const ingest: ServiceAddress = { organizationId: organizations.acme, serviceId: ids.ingest }

/** Addresses of acme at which there is no service. */
const nowhere: ReadonlyArray<ServiceAddress> = [
  { ...ingest, serviceId: ids.unknown },
  { ...ingest, serviceId: ids.globex }
]

const given = {
  provider: "aws",
  region: "eu-central-1",
  tier: "production",
  idleScaling: true,
  createdAt: DateTime.makeUnsafe("2026-01-02T03:04:05Z"),
  endpoints: [{ protocol: "nativesecure", host: "ingest.example.com", port: 9440 }],
  ipAccessList: [{ source: "192.0.2.0/24", description: "office" }],
  numReplicas: 3,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 32
}

const withFields = (snapshot: Snapshot): Snapshot => ({
  organizations: snapshot.organizations.map((organization) => ({
    ...organization,
    services: (organization.services ?? []).map((service) =>
      service.id === ids.ingest ? { ...service, ...given } : service
    )
  }))
})

const get = Services.use((services) => services.get(ingest))
const setState = (command: "awake" | "start" | "stop") =>
  Services.use((services) => services.setState(ingest, { command }))

/** Reads the service until it is in a state; a step takes half a second. */
const reaches = (state: ServiceState) =>
  get.pipe(
    Effect.repeat({ until: (service) => service.state === state, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("1 minute")
  )

/** What each command does in each state in which a store may stay: the state of the answer, the state after it. */
const moves: ReadonlyArray<
  readonly [from: ServiceState, command: "awake" | "start" | "stop", ServiceState, ServiceState]
> = [
  ["idle", "awake", "awaking", "running"],
  ["idle", "start", "awaking", "running"],
  ["idle", "stop", "stopping", "stopped"],
  ["running", "awake", "running", "running"],
  ["running", "start", "running", "running"],
  ["running", "stop", "stopping", "stopped"],
  ["stopped", "start", "awaking", "running"],
  ["stopped", "stop", "stopped", "stopped"]
]

/** The laws of the `Services` port. They need only the port, so they also run over an adapter for a network. */
export const servicesLaws = ({ layer, name }: LawsOptions<Services>): void => {
  // On the real clock, because the adapter may call another process.
  const law = (
    title: string,
    body: Effect.Effect<void, unknown, Services>,
    change: (snapshot: Snapshot) => Snapshot = (snapshot) => snapshot
  ) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.provide(body, layer(change(snapshot), ingest.organizationId))
      )
    )
  const inState = (state: ServiceState) => (snapshot: Snapshot) => withServiceState(snapshot, ids.ingest, state)

  describe(`${name}: laws of Services`, () => {
    law(
      "get returns every field of a service as it was imported",
      Effect.gen(function* () {
        const service = yield* get
        const { createdAt, ...fields } = service
        const { createdAt: expectedTime, ...expected } = given
        assert.deepStrictEqual(fields, { id: ids.ingest, name: "ingest", state: "running", ...expected })
        assert.strictEqual(createdAt?.epochMilliseconds, expectedTime.epochMilliseconds)
      }),
      withFields
    )

    law(
      "a service that is imported with its name alone runs, and has every other field",
      Effect.gen(function* () {
        const { createdAt, ...fields } = yield* get
        const expected: Service = {
          id: ids.ingest,
          name: "ingest",
          provider: "local",
          region: "local",
          state: "running",
          tier: "development",
          idleScaling: false,
          endpoints: [{ protocol: "https", host: `${ids.ingest}.invalid`, port: 8443 }],
          ipAccessList: [],
          numReplicas: 1,
          minReplicaMemoryGb: 8,
          maxReplicaMemoryGb: 8
        }
        assert.deepStrictEqual(fields, expected)
        assert.isAbove(createdAt?.epochMilliseconds ?? 0, Date.parse("2026-01-01"))
      })
    )

    law(
      "list returns the services of the organization and no other, as get does",
      Effect.gen(function* () {
        const services = yield* Services
        const all = yield* services.list({ organizationId: ingest.organizationId })
        const each = [ids.ingest, ids.archive].map((serviceId) => services.get({ ...ingest, serviceId }))
        assert.sameDeepMembers(Array.from(all), yield* Effect.all(each))
      })
    )

    for (const address of nowhere) {
      law(
        `get and setState fail with ServiceNotFound and the address for the service ${address.serviceId}`,
        Effect.gen(function* () {
          const services = yield* Services
          for (const call of [services.get(address), services.setState(address, { command: "stop" })]) {
            const error = yield* failsWith(call, "ServiceNotFound")
            assert.deepStrictEqual(error.address, address)
          }
        })
      )
    }

    law(
      "list and get fail for an unknown organization: not found or Forbidden",
      Effect.gen(function* () {
        const services = yield* Services
        yield* failsWith(services.list({ organizationId: organizations.unknown }), "OrganizationNotFound", "Forbidden")
        const address = { ...ingest, organizationId: organizations.globex }
        yield* failsWith(services.get(address), "ServiceNotFound", "Forbidden")
        yield* failsWith(services.setState(address, { command: "stop" }), "ServiceNotFound", "Forbidden")
      })
    )

    for (const [from, command, passing, last] of moves) {
      law(
        `${command} of a service that is ${from}: ${passing}, then ${last}; the repeat is harmless`,
        Effect.gen(function* () {
          assert.strictEqual((yield* get).state, from)
          assert.strictEqual((yield* setState(command)).state, passing)
          assert.include([passing, last], (yield* setState(command)).state)
          yield* reaches(last)
          assert.strictEqual((yield* setState(command)).state, last)
          assert.strictEqual((yield* get).state, last)
        }),
        inState(from)
      )
    }

    law(
      "awake of a stopped service is a Conflict that names the state, and changes nothing",
      Effect.gen(function* () {
        const { message } = yield* failsWith(setState("awake"), "Conflict")
        assert.include(message, "Current state: stopped")
        assert.strictEqual((yield* get).state, "stopped")
      }),
      inState("stopped")
    )

    law(
      "a stop ends a wake",
      Effect.gen(function* () {
        yield* setState("awake")
        assert.strictEqual((yield* setState("stop")).state, "stopping")
        yield* reaches("stopped")
      }),
      inState("idle")
    )

    law(
      "a service that is imported in a passing state goes on",
      Effect.asVoid(reaches("running")),
      inState("provisioning")
    )
  })
}
