import { assert, describe, it } from "@effect/vitest"
import { Pipe, PipeDocuments, Pipes } from "@headgate/core/pipe"
import type { Snapshot } from "@headgate/core/snapshot"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { fixturePipes } from "../fixtures/pipes.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { addressOf, elsewhere, kafka, mine, nowhere } from "../internal/pipeAddresses.ts"
import { asJson } from "../internal/wire.ts"

/** The ports that {@link pipeDocumentsLaws} uses: the one in question, and the one that it must agree with. */
export type PipeDocumentsLawsPorts = PipeDocuments | Pipes

/** The adapter that {@link pipeDocumentsLaws} puts to the test. */
export interface PipeDocumentsLawsOptions {
  /** What the suite is called in the report. */
  readonly name: string
  /** Both ports over one store that holds this snapshot and nothing else; built anew for each law. */
  readonly layer: (snapshot: Snapshot) => Layer.Layer<PipeDocumentsLawsPorts, unknown>
}

const encodeText = Schema.encodeEffect(Schema.fromJsonString(Pipe))

/**
 * The laws of the `PipeDocuments` port, which an adapter may have beside `Pipes`: it tells the same, as text.
 *
 * @example
 * ```ts
 * import { pipeDocumentsLaws } from "@headgate/conformance"
 * import type { PipeDocuments, Pipes } from "@headgate/core/pipe"
 * import type { Snapshot } from "@headgate/core/snapshot"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: both ports over one store that holds the snapshot and nothing else.
 * declare const layer: (snapshot: Snapshot) => Layer.Layer<Pipes | PipeDocuments>
 *
 * pipeDocumentsLaws({ name: "my adapter", layer })
 * ```
 */
export const pipeDocumentsLaws = ({ layer, name }: PipeDocumentsLawsOptions): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, PipeDocumentsLawsPorts>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot))))

  describe(`${name}: laws of PipeDocuments`, () => {
    for (const pipe of mine) {
      law(
        `get answers the text of the pipe "${pipe}" as Pipes would have it written`,
        Effect.gen(function* () {
          const documents = yield* PipeDocuments
          const pipes = yield* Pipes
          const text = yield* documents.get(addressOf(pipe))
          assert.deepStrictEqual<unknown>(JSON.parse(text), asJson(fixturePipes[pipe]))
          assert.strictEqual(text, yield* encodeText(yield* pipes.get(addressOf(pipe))))
          assert.strictEqual(yield* documents.get(addressOf(pipe)), text, "the second time")
        })
      )
    }

    for (const [what, address] of [...nowhere, ...elsewhere]) {
      law(
        `get fails as Pipes.get does for ${what}`,
        Effect.gen(function* () {
          const documents = yield* PipeDocuments
          const pipes = yield* Pipes
          const error = yield* Effect.flip(documents.get(address))
          assert.deepStrictEqual(error, yield* Effect.flip(pipes.get(address)))
        })
      )
    }

    law(
      "a pipe that is deleted has no text any more",
      Effect.gen(function* () {
        const documents = yield* PipeDocuments
        const pipes = yield* Pipes
        yield* documents.get(kafka)
        yield* pipes.delete(kafka)
        const error = yield* failsWith(documents.get(kafka), "PipeNotFound")
        assert.deepStrictEqual(error.address, kafka)
      })
    )
  })
}
