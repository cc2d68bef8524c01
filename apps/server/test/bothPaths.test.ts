import { assert, describe, it } from "@effect/vitest"
import { fixtureCredentials, fixtureIds, fixturePipes, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { PipeDocuments } from "@headgate/core/pipe"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { basic, call, liveServer } from "./support/liveServer.ts"
import { overEveryStore, type Store, type StorePorts } from "./support/stores.ts"

/** The same store without the text of its pipes, as any adapter that keeps none: a gateway's, a user's own. */
const withoutDocuments = <A, E>(store: Layer.Layer<A, E>) =>
  Layer.effectContext(Effect.map(Layer.build(store), Context.omit(PipeDocuments)))

const { keyId, keySecret } = fixtureCredentials.keys.admin
const admin = basic(keyId, Redacted.value(keySecret))

const { organizations, pipes, services } = fixtureIds

const pathOf = (dialect: Dialect, service: string, pipe: string, organization: string = organizations.acme) =>
  `/v1/organizations/${organization}/services/${service}/${dialect.pipesSegment}/${pipe}`

const paths = (dialect: Dialect): ReadonlyArray<string> => [
  ...(["kafka", "kinesis", "objectStorage", "postgres", "minimal", "nulls"] as const).map((name) =>
    pathOf(dialect, fixturePipes[name].serviceId, pipes[name])
  ),
  pathOf(dialect, services.ingest, pipes.unknown),
  pathOf(dialect, services.archive, pipes.kafka),
  pathOf(dialect, services.ingest, "no-uuid"),
  pathOf(dialect, services.ingest, pipes.kafka, organizations.globex)
]

/** What came over the wire, without what is fresh in each answer. */
const asked = (path: string) =>
  Effect.map(call(path, { authorization: admin }), ({ headers, status, text }) => ({
    status,
    text: text.replaceAll(headers.get("x-request-id") ?? "", "<requestId>"),
    headers: Array.from(headers).filter(([name]) => name !== "date" && name !== "x-request-id")
  }))

const answers = (dialect: Dialect, store: Layer.Layer<StorePorts, unknown>) =>
  Effect.forEach(paths(dialect), asked).pipe(Effect.provide(Layer.fresh(liveServer(store, { dialect }))))

overEveryStore((store: Store) => {
  describe(`a pipe read as text and one read as a pipe, over ${store.name}`, () => {
    for (const dialect of [neutral, clickhouse]) {
      it.live(`are the same answer, byte for byte, and so is every refusal: ${dialect.name}`, () =>
        Effect.gen(function* () {
          const snapshot = yield* fixtureSnapshot
          const asText = yield* answers(dialect, store.holding(snapshot))
          const asPipe = yield* answers(dialect, withoutDocuments(store.holding(snapshot)))
          assert.deepStrictEqual(
            asText.map(({ status }) => status),
            [200, 200, 200, 200, 200, 200, 404, 404, 400, 403]
          )
          assert.deepStrictEqual(asText, asPipe)
        })
      )
    }

    it.effect("are two paths: one store has the text, the other has not", () =>
      Effect.gen(function* () {
        const holding = store.holding(yield* fixtureSnapshot)
        const documents = Effect.serviceOption(PipeDocuments)
        assert.isTrue(Option.isSome(yield* Effect.provide(documents, holding)))
        assert.isTrue(Option.isNone(yield* Effect.provide(documents, withoutDocuments(holding))))
      })
    )
  })
})
