import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { organizationId } from "./support/fullSnapshot.ts"
import { call, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, otherOrganizationId, environment } from "./support/environment.ts"

const path = `/v1/organizations/${organizationId}/keys`
const admin = { authorization: as("admin") }
const list = (query = "", from = path, caller = admin) =>
  Effect.map(call(`${from}${query}`, caller), ({ json }) => json)
const create = Effect.fnUntraced(function* (name: string) {
  // The clock is the real one, and keys of the same millisecond are sorted by id.
  yield* Effect.sleep("2 millis")
  const { json } = yield* call(path, { ...admin, method: "POST", body: { name } })
  return String(json.result.key.id)
})

const idsOf = (keys: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> => keys.map(({ id }) => id)

overEveryStore((store) => {
  layer(serverOver(store, environment), { excludeTestServices: true })(`keys in pages, over ${store.name}`, (it) => {
    it.effect("a list without a query has all keys, and says that there are no more", () =>
      Effect.gen(function* () {
        const { limit, nextCursor, result, totalCount } = yield* list()
        assert.deepStrictEqual([limit, nextCursor, totalCount], [250, null, result.length])
        assert.isAtLeast(result.length, 10)
        const times = result.map(({ createdAt }: { readonly createdAt: string }) => Date.parse(createdAt))
        assert.deepStrictEqual(
          times,
          times.toSorted((one: number, other: number) => one - other)
        )
      })
    )

    it.effect("the pages that nextCursor leads to have each key once, in the order of the whole list", () =>
      Effect.gen(function* () {
        const whole = yield* list()
        for (const limit of [1, 3, whole.result.length, 999]) {
          const seen: Array<string> = []
          let cursor: string | null = ""
          while (cursor !== null) {
            const page: any = yield* list(`?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`)
            assert.strictEqual(page.limit, Math.min(limit, 250))
            assert.strictEqual(page.totalCount, whole.result.length)
            assert.isAtMost(page.result.length, limit)
            seen.push(...idsOf(page.result))
            cursor = page.nextCursor
          }
          assert.deepStrictEqual(seen, idsOf(whole.result), `limit ${limit}`)
        }
      })
    )

    it.effect("a key that is made or deleted meanwhile moves no other to another page", () =>
      Effect.gen(function* () {
        const [first, second, third] = [yield* create("first"), yield* create("second"), yield* create("third")]
        const before = idsOf((yield* list()).result)
        const head = yield* list(`?limit=${before.indexOf(second) + 1}`)
        assert.strictEqual(idsOf(head.result).at(-1), second)
        // The key that the cursor stands at, and one before it.
        for (const id of [first, second]) yield* call(`${path}/${id}`, { ...admin, method: "DELETE" })
        const late = yield* create("late")
        const rest = yield* list(`?limit=100&cursor=${head.nextCursor}`)
        assert.deepStrictEqual(idsOf(rest.result), [third, late])
        assert.strictEqual(rest.nextCursor, null)
      })
    )

    for (const [query, field] of [
      ["?limit=0", "limit"],
      ["?limit=-1", "limit"],
      ["?limit=1.5", "limit"],
      ["?limit=", "limit"],
      ["?limit=x", "limit"],
      ["?cursor=", "cursor"],
      ["?cursor=x", "cursor"],
      ["?cursor=%7B%7D", "cursor"],
      ["?cursor=MTo", "cursor"]
    ] as const) {
      it.effect(`GET keys${query} is a 400 that names ${field}`, () =>
        Effect.gen(function* () {
          const { error, status } = yield* list(query)
          assert.strictEqual(status, 400)
          assert.include(error, `${field}: Expected `)
        })
      )
    }

    it.effect("a cursor of one organization shows no key of another", () =>
      Effect.gen(function* () {
        const { nextCursor } = yield* list("?limit=1")
        const own = idsOf((yield* list()).result)
        const foreign = yield* list(`?cursor=${nextCursor}`, `/v1/organizations/${otherOrganizationId}/keys`, {
          authorization: as("foreign-admin")
        })
        assert.strictEqual(foreign.status, 200)
        for (const id of idsOf(foreign.result)) assert.notInclude(own, id)
      })
    )
  })
})
