import { assert, describe, it } from "@effect/vitest"
import { type PipeAddress, Pipes, type ServiceAddress, type Snapshot, versionOf } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixturePipes } from "../fixtures/pipes.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { asJson, pipeDocument } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"
import { anyPipe, fewRuns } from "../internal/requests.ts"
import { withServiceState } from "../internal/serviceStates.ts"

const { organizations, pipes: pipeIds, services } = fixtureIds

/** A pipe of acme. */
const kafka: PipeAddress = {
  organizationId: organizations.acme,
  serviceId: services.ingest,
  pipeId: pipeIds.kafka
}

/** The service of that pipe. */
const service: ServiceAddress = { organizationId: organizations.acme, serviceId: services.ingest }

/** The pipes of acme, by the names of their fixtures. */
const mine = ["kafka", "kinesis", "objectStorage", "postgres", "minimal", "nulls"] as const

/** The address of a pipe of acme. */
const addressOf = (name: (typeof mine)[number]): PipeAddress => ({
  ...kafka,
  serviceId: fixturePipes[name].serviceId,
  pipeId: pipeIds[name]
})

/** Addresses of acme at which there is no pipe. */
const nowhere: ReadonlyArray<readonly [string, PipeAddress]> = [
  ["an unknown id", { ...kafka, pipeId: pipeIds.unknown }],
  ["an unknown service", { ...kafka, serviceId: services.unknown }],
  ["another service of the organization", { ...kafka, serviceId: services.archive }],
  ["another organization's service", { ...kafka, serviceId: services.globex }],
  ["another organization's pipe", { ...kafka, pipeId: pipeIds.globex }],
  ["another organization's service and pipe", { ...kafka, serviceId: services.globex, pipeId: pipeIds.globex }]
]

/** Addresses in other organizations. */
const elsewhere: ReadonlyArray<readonly [string, PipeAddress]> = [
  ["another organization", { ...kafka, organizationId: organizations.globex }],
  ["an unknown organization", { ...kafka, organizationId: organizations.unknown }]
]

/** Every pipe of acme that the adapter finds, as JSON. */
const allOnWire = Effect.gen(function* () {
  const pipes = yield* Pipes
  const found = yield* Effect.forEach(mine, (name) =>
    pipes.get(addressOf(name)).pipe(
      Effect.flatMap(pipeDocument),
      Effect.map((document) => [{ name, document }]),
      Effect.catchTag("PipeNotFound", () => Effect.succeed([]))
    )
  )
  return found.flat()
})

/**
 * The laws of the `Pipes` port. They need only the port, so they also run over an adapter for a network. Contract:
 * docs/wire-contract.md#delete-a-pipe, docs/wire-contract.md#fields-of-a-pipe and docs/wire-contract.md#read-a-pipe.
 */
export const pipesLaws = ({ layer, name }: LawsOptions<Pipes>): void => {
  // On the real clock, because the adapter may call another process.
  const law = (title: string, body: Effect.Effect<void, unknown, Pipes>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, kafka.organizationId)))
    )

  describe(`${name}: laws of Pipes`, () => {
    for (const pipe of mine) {
      law(
        `get returns every field of the pipe "${pipe}" as it was imported`,
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const found = yield* pipes.get(addressOf(pipe))
          assert.deepStrictEqual(yield* pipeDocument(found), asJson(fixturePipes[pipe]))
        })
      )
    }

    it.live.prop(
      "get returns any pipe as it was imported",
      [anyPipe],
      ([any]) => {
        const address = { ...kafka, pipeId: any.id }
        const pipe = { ...any, serviceId: kafka.serviceId }
        return Effect.gen(function* () {
          const {
            organizations: [acme, ...others]
          } = yield* fixtureSnapshot
          assert.isDefined(acme)
          const snapshot: Snapshot = {
            organizations: [{ ...acme, services: [{ id: kafka.serviceId, name: "ingest", pipes: [pipe] }] }, ...others]
          }
          const found = yield* Pipes.use((pipes) => pipes.get(address)).pipe(
            Effect.provide(layer(snapshot, kafka.organizationId))
          )
          assert.deepStrictEqual(yield* pipeDocument(found), yield* pipeDocument(pipe))
        })
      },
      fewRuns
    )

    law(
      "the history of a pipe that nobody moves has whole steps and no point, and a wrong query names its field",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const [pipeName] = mine
        if (pipeName === undefined) return assert.fail("the fixture has no pipe")
        const address = { ...service, serviceId: fixturePipes[pipeName].serviceId, pipeId: pipeIds[pipeName] }
        const time = (text: string) => DateTime.makeUnsafe(text)
        const day = yield* pipes.history(address, {})
        assert.deepStrictEqual([day.points, day.stepSeconds], [[], 60])
        assert.strictEqual(DateTime.toEpochMillis(day.to) - DateTime.toEpochMillis(day.from), 24 * 60 * 60 * 1000)
        const range = { from: time("2026-01-02T03:04:05Z"), to: time("2026-01-02T05:00:01Z") }
        for (const [step, stepSeconds] of [
          ["1m", 600],
          ["1h", 3600]
        ] as const) {
          const found = yield* pipes.history(address, { ...range, step })
          assert.deepStrictEqual([found.points, found.stepSeconds], [[], stepSeconds])
          assert.deepStrictEqual(
            [DateTime.toEpochMillis(found.from), DateTime.toEpochMillis(found.to)].map(
              (at) => at % (stepSeconds * 1000)
            ),
            [0, 0]
          )
        }
        for (const [query, field] of [
          [{ step: "soon" }, "step:"],
          [{ from: range.to, to: range.from }, "from:"]
        ] as const) {
          const { message } = yield* failsWith(pipes.history(address, query), "InvalidRequest")
          assert.include(message, field)
        }
        yield* failsWith(pipes.history({ ...address, pipeId: pipeIds.unknown }, {}), "PipeNotFound")
        yield* failsWith(pipes.history({ ...address, serviceId: services.globex }, {}), "PipeNotFound")
      })
    )

    law(
      "list returns every pipe of the service as it was imported, and no other",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        for (const serviceId of [services.ingest, services.archive]) {
          const found = yield* Effect.forEach(yield* pipes.list({ ...service, serviceId }), pipeDocument)
          const imported = mine.flatMap((pipe) =>
            fixturePipes[pipe].serviceId === serviceId ? [asJson(fixturePipes[pipe])] : []
          )
          assert.sameDeepMembers(found, imported)
        }
      })
    )

    law(
      "list does not return a deleted pipe, and a service without pipes has an empty list",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const all = yield* pipes.list(service)
        for (const [index, { id }] of all.entries()) {
          yield* pipes.delete({ ...service, pipeId: id })
          assert.lengthOf(yield* pipes.list(service), all.length - index - 1)
        }
        assert.deepStrictEqual(yield* pipes.list(service), [])
      })
    )

    for (const serviceId of [services.unknown, services.globex]) {
      law(
        `list fails with ServiceNotFound and the address for the service ${serviceId} of no or another organization`,
        Effect.gen(function* () {
          const error = yield* failsWith(
            Pipes.use((pipes) => pipes.list({ ...service, serviceId })),
            "ServiceNotFound"
          )
          assert.deepStrictEqual(error.address, { ...service, serviceId })
        })
      )
    }

    for (const [what, { organizationId }] of elsewhere) {
      law(
        `list fails for ${what}: ServiceNotFound or Forbidden`,
        Effect.asVoid(
          failsWith(
            Pipes.use((pipes) => pipes.list({ ...service, organizationId })),
            "ServiceNotFound",
            "Forbidden"
          )
        )
      )
    }

    law(
      "get returns the same pipe twice",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const first = yield* Effect.flatMap(pipes.get(kafka), pipeDocument)
        const second = yield* Effect.flatMap(pipes.get(kafka), pipeDocument)
        assert.deepStrictEqual(second, first)
      })
    )

    law(
      "interrupting a read does not interrupt another one",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const read = Effect.forkChild(Effect.flatMap(pipes.get(kafka), pipeDocument), { startImmediately: true })
        const first = yield* read
        const second = yield* read
        yield* Fiber.interrupt(first)
        assert.deepStrictEqual(yield* Fiber.join(second), asJson(fixturePipes.kafka))
        assert.deepStrictEqual(yield* Fiber.join(yield* read), asJson(fixturePipes.kafka))
      })
    )

    law(
      "a connection string is redacted",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const pipe = yield* pipes.get(addressOf("objectStorage"))
        const { connectionString: expected } = fixturePipes.objectStorage.source.objectStorage
        const secret = pipe.source?.objectStorage?.connectionString
        assert.isTrue(Redacted.isRedacted(secret))
        assert.strictEqual(Redacted.isRedacted(secret) ? Redacted.value(secret) : "", expected)
        assert.notInclude(JSON.stringify(pipe), expected)
      })
    )

    for (const [what, address] of nowhere) {
      law(
        `get and delete fail with PipeNotFound and the address for ${what}, and change nothing`,
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const before = yield* allOnWire
          for (const call of [pipes.get(address), pipes.delete(address)]) {
            const error = yield* failsWith(call, "PipeNotFound")
            assert.deepStrictEqual(error.address, address)
          }
          assert.deepStrictEqual(yield* allOnWire, before)
        })
      )
    }

    for (const [what, address] of elsewhere) {
      law(
        `get and delete fail for ${what}: PipeNotFound with the address, or Forbidden`,
        Effect.gen(function* () {
          const pipes = yield* Pipes
          for (const call of [pipes.get(address), pipes.delete(address)]) {
            const error = yield* failsWith(call, "PipeNotFound", "Forbidden")
            if (error._tag === "PipeNotFound") assert.deepStrictEqual(error.address, address)
          }
        })
      )
    }

    for (const state of ["idle", "stopped"] as const) {
      it.live(`delete fails with FailedDependency while the service is ${state}, and reads go on`, () =>
        Effect.flatMap(fixtureSnapshot, (snapshot) =>
          Effect.gen(function* () {
            const pipes = yield* Pipes
            const { message } = yield* failsWith(pipes.delete(kafka), "FailedDependency")
            assert.include(message, `Current state: ${state}`)
            assert.strictEqual((yield* pipes.get(kafka)).id, kafka.pipeId)
            assert.lengthOf(yield* pipes.list(service), 4)
          }).pipe(Effect.provide(layer(withServiceState(snapshot, service.serviceId, state), kafka.organizationId)))
        )
      )
    }

    law(
      "a deleted pipe is not found, and the others are unchanged",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const before = yield* allOnWire
        yield* pipes.delete(kafka)
        yield* failsWith(pipes.get(kafka), "PipeNotFound")
        assert.deepStrictEqual(
          yield* allOnWire,
          before.filter((pipe) => pipe.name !== "kafka")
        )
      })
    )

    law(
      "a pipe has the version 1 after an import, in get and each time",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        assert.deepStrictEqual([versionOf(yield* pipes.get(kafka)), versionOf(yield* pipes.get(kafka))], [1, 1])
      })
    )

    law(
      "a second delete of a pipe is PipeNotFound",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        yield* pipes.delete(kafka)
        yield* failsWith(pipes.delete(kafka), "PipeNotFound")
      })
    )

    law(
      "a pipe that is read while it is deleted is not found afterwards",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const reads = Array.from({ length: 5 }, () => Effect.ignore(pipes.get(kafka)))
        yield* Effect.all([...reads, pipes.delete(kafka), ...reads], { concurrency: "unbounded", discard: true })
        yield* failsWith(pipes.get(kafka), "PipeNotFound")
      })
    )

    law(
      "of many concurrent deletes, one succeeds",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () =>
            pipes.delete(kafka).pipe(
              Effect.as("deleted"),
              Effect.catchTag("PipeNotFound", () => Effect.succeed("not found"))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), ["deleted", ...Array.from({ length: 9 }, () => "not found")])
      })
    )
  })
}
