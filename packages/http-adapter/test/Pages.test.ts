import { assert, describe, it } from "@effect/vitest"
import { ApiKeys, BelowService, OrganizationId, ServiceId, Webhooks } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as MutableRef from "effect/MutableRef"
import * as TestClock from "effect/testing/TestClock"
import { CallOptions, type ConnectionOptions, ReceivedElements } from "../src/index.ts"
import { answering, type Seen, type Step } from "./support/ScriptedClient.ts"
import { layerPorts } from "./support/ports.ts"

const webhooks = Array.from({ length: 5 }, (_, n) => ({ id: `w${n}`, name: `Webhook ${n}` }))

/** A service that answers at most two at once, whatever the request says. */
const inPages = ({ url }: Seen): Step => {
  const offset = Number(new URL(url).searchParams.get("offset") ?? 0)
  const data = webhooks.slice(offset, offset + 2)
  return { status: 200, body: { data, meta: { total: webhooks.length, limit: 2, offset } } }
}

/** The ids of the list, and the queries that were sent. */
const listFrom = Effect.fnUntraced(function* (
  answer: (request: Seen, nth: number) => Step,
  options: Partial<ConnectionOptions> = {}
) {
  const service = answering(answer)
  const outcome = yield* Webhooks.use(({ list }) => list()).pipe(
    Effect.match({ onSuccess: (all) => all.map(({ id }) => String(id)), onFailure: ({ message }) => message }),
    Effect.provide(layerPorts({ baseUrl: "https://api.test", ...options })),
    Effect.provide(service.layer)
  )
  return { outcome, queries: service.seen.map(({ url }) => new URL(url).search) }
})

const ids = webhooks.map(({ id }) => id)

/** Below a service, where nothing tells how many there are. */
const listBelow = Effect.fnUntraced(function* (lengths: ReadonlyArray<number>) {
  const service = answering((_, nth) => ({
    status: 200,
    body: { result: Array.from({ length: lengths[nth] ?? 0 }, (_, n) => ({ id: `w${n}` })) }
  }))
  const address = {
    organizationId: OrganizationId.make("5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11"),
    serviceId: ServiceId.make("8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35")
  }
  const all = yield* BelowService(Webhooks)
    .use((webhooks) => webhooks.of(address).list())
    .pipe(Effect.provide(layerPorts({ baseUrl: "https://api.test" })), Effect.provide(service.layer))
  return { length: all.length, queries: service.seen.map(({ url }) => new URL(url).search) }
})

describe("a list in pages", () => {
  for (const [lengths, length, queries] of [
    [[999], 999, [""]],
    [[1000, 1], 1001, ["", "?offset=1000"]],
    [[1000, 0], 1000, ["", "?offset=1000"]]
  ] as const) {
    it.effect(`below a service is read to a page that is not full: ${lengths.join(", ")}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* listBelow(lengths), { length, queries: [...queries] })
      })
    )
  }

  it.effect("is read to its end, from where the last page ended", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* listFrom(inPages), { outcome: ids, queries: ["", "?offset=2", "?offset=4"] })
    })
  )

  for (const [what, body] of [
    ["tells no total", { data: webhooks }],
    ["tells the total as text", { data: webhooks, meta: { total: "9" } }],
    ["has sent all", { data: webhooks, meta: { total: 5, limit: 1000, offset: 0 } }]
  ] as const) {
    it.effect(`of a service that ${what} is one request`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* listFrom(() => ({ status: 200, body })), { outcome: ids, queries: [""] })
      })
    )
  }

  it.effect("ends with an empty page, also if others were deleted meanwhile", () =>
    Effect.gen(function* () {
      const { outcome, queries } = yield* listFrom((_, nth) => ({
        status: 200,
        body: { data: nth === 0 ? webhooks : [], meta: { total: 9 } }
      }))
      assert.deepStrictEqual([outcome, queries], [ids, ["", "?offset=5"]])
    })
  )

  it.effect("that never ends is given up", () =>
    Effect.gen(function* () {
      const endless = { status: 200, body: { data: webhooks.slice(0, 1), meta: { total: 1e9 } } }
      const { outcome, queries } = yield* listFrom(() => endless)
      assert.include(outcome, "the list is longer than 100 pages")
      assert.strictEqual(queries.length, 100)
    })
  )

  it.effect("has the elements of all pages, those that cannot be read too", () =>
    Effect.gen(function* () {
      const received = MutableRef.make<ReadonlyArray<unknown>>([])
      const damaged = (request: Seen, nth: number): Step => {
        const step = inPages(request)
        return nth === 1 ? { status: 200, body: { data: [{ id: 7 }, webhooks[3]], meta: { total: 5 } } } : step
      }
      const { outcome } = yield* Effect.provideService(
        listFrom(damaged, { onUnreadable: "warn" }),
        ReceivedElements,
        received
      )
      assert.deepStrictEqual(outcome, ["w0", "w1", "w3", "w4"])
      assert.deepStrictEqual(MutableRef.get(received), [webhooks[0], webhooks[1], { id: 7 }, webhooks[3], webhooks[4]])
    })
  )

  it.effect("has one deadline for all of its pages", () =>
    Effect.gen(function* () {
      // The second and the third page come after a wait of 2 seconds each.
      const slow = (request: Seen, nth: number): Step =>
        nth % 2 === 1 ? { status: 429, headers: { "retry-after": "2" } } : inPages(request)
      for (const [deadline, expected] of [
        ["3 seconds", "failed"],
        ["5 seconds", "ok"]
      ] as const) {
        const fiber = yield* Webhooks.use(({ list }) => list()).pipe(
          Effect.match({ onSuccess: () => "ok", onFailure: () => "failed" }),
          Effect.provideService(CallOptions, { deadline }),
          Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
          Effect.provide(answering(slow).layer),
          Effect.forkChild
        )
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* Fiber.join(fiber), expected)
      }
    })
  )
})

const keys = Array.from({ length: 5 }, (_, n) => ({ id: `6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5${n}`, name: `Key ${n}` }))
const organizationId = OrganizationId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d")

const keysFrom = Effect.fnUntraced(function* (answer: (request: Seen, nth: number) => object) {
  const service = answering((request, nth) => ({ status: 200, body: { status: 200, ...answer(request, nth) } }))
  const outcome = yield* ApiKeys.use(({ list }) => list({ organizationId })).pipe(
    Effect.match({ onSuccess: (all) => all.map(({ id }) => String(id)), onFailure: ({ message }) => message }),
    Effect.provide(layerPorts({ baseUrl: "https://api.test" })),
    Effect.provide(service.layer)
  )
  return { outcome, queries: service.seen.map(({ url }) => new URL(url).search) }
})

describe("a list with a cursor", () => {
  const keyIds = keys.map(({ id }) => id)

  it.effect("is read to its end, from each cursor that an answer has", () =>
    Effect.gen(function* () {
      const { outcome, queries } = yield* keysFrom(({ url }) => {
        const start = Number((new URL(url).searchParams.get("cursor") ?? "after 0").split(" ")[1])
        const nextCursor = start + 2 < keys.length ? `after ${start + 2}` : null
        return { result: keys.slice(start, start + 2), limit: 2, totalCount: null, nextCursor }
      })
      assert.deepStrictEqual(outcome, keyIds)
      assert.deepStrictEqual(queries, ["", "?cursor=after+2", "?cursor=after+4"])
    })
  )

  for (const [what, more] of [
    ["tells no cursor", {}],
    ["has no more", { nextCursor: null }],
    ["tells an empty cursor", { nextCursor: "" }]
  ] as const) {
    it.effect(`of a service that ${what} is one request`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* keysFrom(() => ({ result: keys, ...more })), { outcome: keyIds, queries: [""] })
      })
    )
  }

  it.effect("that never ends is given up", () =>
    Effect.gen(function* () {
      const { outcome, queries } = yield* keysFrom(() => ({ result: keys.slice(0, 1), nextCursor: "again" }))
      assert.include(outcome, "the list is longer than 100 pages")
      assert.strictEqual(queries.length, 100)
    })
  )
})
