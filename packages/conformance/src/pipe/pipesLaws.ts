import { assert, describe, it } from "@effect/vitest"
import { Pipes, type Snapshot } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { fixturePipes } from "../fixtures/pipes.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { anyPipe, thoroughly } from "../internal/arbitraries.ts"
import { failsWith } from "../internal/failsWith.ts"
import { addressOf, elsewhere, kafka, mine, nowhere } from "../internal/pipeAddresses.ts"
import { asJson, pipeCodec } from "../internal/wire.ts"

/** The adapter that {@link pipesLaws} puts to the test. */
export interface PipesLawsOptions {
  /** What the suite is called in the report. */
  readonly name: string
  /**
   * The adapter over a store that holds this snapshot and nothing else; built anew for each law. It acts for the
   * organization acme, as `fixtureCredentials.keys.admin` does.
   */
  readonly layer: (snapshot: Snapshot) => Layer.Layer<Pipes, unknown>
}

/** Every pipe of acme that is there, as on the wire. */
const allOnWire = Effect.gen(function* () {
  const pipes = yield* Pipes
  const found = yield* Effect.forEach(mine, (name) =>
    pipes.get(addressOf(name)).pipe(
      Effect.flatMap(pipeCodec),
      Effect.map((document) => [{ name, document }]),
      Effect.catchTag("PipeNotFound", () => Effect.succeed([]))
    )
  )
  return found.flat()
})

/**
 * The laws of the `Pipes` port. Needs nothing but the port, so that an adapter over a network can be held to them.
 * Contract: sections 1, 2.2 and 4.1.
 *
 * @example
 * ```ts
 * import { pipesLaws } from "@headgate/conformance"
 * import type { Pipes, Snapshot } from "@headgate/core"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: the port over a store that holds the snapshot and nothing else.
 * declare const layer: (snapshot: Snapshot) => Layer.Layer<Pipes>
 *
 * pipesLaws({ name: "my adapter", layer })
 * ```
 */
export const pipesLaws = ({ layer, name }: PipesLawsOptions): void => {
  // On the real clock: the adapter may be a client of another process.
  const law = (title: string, body: Effect.Effect<void, unknown, Pipes>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot))))

  describe(`${name}: laws of Pipes`, () => {
    for (const pipe of mine) {
      law(
        `get answers every leaf of the pipe "${pipe}" as it was imported`,
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const found = yield* pipes.get(addressOf(pipe))
          assert.deepStrictEqual(yield* pipeCodec(found), asJson(fixturePipes[pipe]))
        })
      )
    }

    it.live.prop(
      "get answers any pipe as it was imported",
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
          const found = yield* Pipes.use((pipes) => pipes.get(address)).pipe(Effect.provide(layer(snapshot)))
          assert.deepStrictEqual(yield* pipeCodec(found), yield* pipeCodec(pipe))
        })
      },
      thoroughly
    )

    law(
      "get answers the same twice",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const first = yield* Effect.flatMap(pipes.get(kafka), pipeCodec)
        const second = yield* Effect.flatMap(pipes.get(kafka), pipeCodec)
        assert.deepStrictEqual(second, first)
      })
    )

    law(
      "a read that is interrupted takes no other with it",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const read = Effect.forkChild(Effect.flatMap(pipes.get(kafka), pipeCodec), { startImmediately: true })
        const first = yield* read
        const second = yield* read
        yield* Fiber.interrupt(first)
        assert.deepStrictEqual(yield* Fiber.join(second), asJson(fixturePipes.kafka))
        assert.deepStrictEqual(yield* Fiber.join(yield* read), asJson(fixturePipes.kafka))
      })
    )

    law(
      "a connection string is readable on purpose only",
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

    law(
      "a deleted pipe is gone, and the others are as they were",
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
      "a pipe is deleted once: the second time it is not found",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        yield* pipes.delete(kafka)
        yield* failsWith(pipes.delete(kafka), "PipeNotFound")
      })
    )

    law(
      "a pipe that is read while it is deleted is gone all the same",
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const reads = Array.from({ length: 5 }, () => Effect.ignore(pipes.get(kafka)))
        yield* Effect.all([...reads, pipes.delete(kafka), ...reads], { concurrency: "unbounded", discard: true })
        yield* failsWith(pipes.get(kafka), "PipeNotFound")
      })
    )

    law(
      "of many deletes at once, one succeeds",
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
