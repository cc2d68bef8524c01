import { assert, describe, it } from "@effect/vitest"
import { Conflict } from "@headgate/core"
import { type CreationAnswer, IdempotentCreations, type IdempotentRequest } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"

const { acme, globex } = fixtureIds.organizations

const request: IdempotentRequest = {
  organizationId: acme,
  scope: "key 1 POST /keys",
  key: "k-1",
  body: '{"name":"ci"}'
}

/** A creation that counts how often it ran. */
const counting = () => {
  const creation = { times: 0 }
  const create = Effect.sync((): CreationAnswer => {
    creation.times += 1
    return { text: `{"id":${creation.times}}`, version: 1 }
  })
  return { creation, create }
}

/** Runs an effect with the time of day later by so many seconds. */
const later = <A, E, R>(effect: Effect.Effect<A, E, R>, seconds: number) =>
  Effect.clockWith((clock) => {
    const ahead = () => clock.currentTimeMillisUnsafe() + seconds * 1000
    const shifted: Clock.Clock = Object.create(clock, {
      currentTimeMillisUnsafe: { value: ahead },
      currentTimeMillis: { value: Effect.sync(ahead) }
    })
    return Effect.provideService(effect, Clock.Clock, shifted)
  })

/** The laws of the `IdempotentCreations` port: a creation that is repeated with its key runs once. */
export const idempotentCreationsLaws = ({ layer, name }: LawsOptions<IdempotentCreations>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, IdempotentCreations>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme))))

  describe(`${name}: laws of IdempotentCreations`, () => {
    law(
      "a repeat returns the first answer, and creates nothing",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const { create, creation } = counting()
        const first = yield* once(request, create)
        assert.deepStrictEqual(first, { text: '{"id":1}', version: 1 })
        assert.deepStrictEqual(yield* once(request, create), first)
        assert.strictEqual(creation.times, 1)
      })
    )

    law(
      "another key, scope or organization creates again",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const { create, creation } = counting()
        yield* once(request, create)
        yield* once({ ...request, key: "k-2" }, create)
        yield* once({ ...request, scope: "key 2 POST /keys" }, create)
        yield* once({ ...request, organizationId: globex, scope: "key 3 POST /keys" }, create)
        assert.strictEqual(creation.times, 4)
      })
    )

    law(
      "another body with the key is KeyReused, and creates nothing",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const { create, creation } = counting()
        yield* once(request, create)
        const error = yield* Effect.flip(once({ ...request, body: '{"name":"cd"}' }, create))
        assert.strictEqual(error._tag, "KeyReused")
        assert.strictEqual(creation.times, 1)
      })
    )

    law(
      "a failure is not kept",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const { create } = counting()
        const error = yield* Effect.flip(once(request, Effect.fail(new Conflict({ message: "no" }))))
        assert.strictEqual(error._tag, "Conflict")
        assert.deepStrictEqual(yield* once(request, create), { text: '{"id":1}', version: 1 })
      })
    )

    law(
      "of many at the same time one creates, and the others get its answer or KeyInFlight",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const { create, creation } = counting()
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () =>
            Effect.match(once(request, create), {
              onFailure: ({ _tag }) => _tag,
              onSuccess: ({ text }) => text
            }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(creation.times, 1)
        assert.sameMembers(Array.from(new Set([...outcomes, "KeyInFlight"])), ['{"id":1}', "KeyInFlight"])
      })
    )

    law(
      "a key means nothing after the retention",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const { create, creation } = counting()
        yield* once(request, create)
        yield* later(once(request, create), IdempotentCreations.retention - 60)
        assert.strictEqual(creation.times, 1)
        yield* later(once({ ...request, body: "another" }, create), IdempotentCreations.retention + 60)
        assert.strictEqual(creation.times, 2)
      })
    )

    law(
      "a large answer is kept as it is, and many of them are not kept without bound",
      Effect.gen(function* () {
        const { once } = yield* IdempotentCreations
        const text = `"${"\u00fc\ud83d\ude00".repeat(300_000)}"`
        const create = Effect.succeed<CreationAnswer>({ text })
        for (let n = 0; n < 50; n++) yield* once({ ...request, key: `large ${n}` }, create)
        const { create: again, creation } = counting()
        assert.deepStrictEqual(yield* once({ ...request, key: "large 49" }, again), { text })
        assert.strictEqual(creation.times, 0)
        yield* once({ ...request, key: "large 0" }, again)
        assert.strictEqual(creation.times, 1)
      })
    )
  })
}
