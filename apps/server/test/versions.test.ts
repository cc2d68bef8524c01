import { assert, layer } from "@effect/vitest"
import { clickhouse } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { pipes } from "./support/fullSnapshot.ts"
import { call, memoryServer, ServerUrl, serverOver } from "./support/liveServer.ts"
import { overEveryStore } from "./support/stores.ts"
import { as, firstPipe, pipePath, environment } from "./support/environment.ts"

const authorization = as("admin")
const secondPipe = String(pipes[1]?.["id"])
const read = (id = firstPipe) => call(pipePath(id), { authorization })
const remove = (ifMatch: string, id = firstPipe) =>
  call(pipePath(id), { method: "DELETE", authorization, headers: { "if-match": ifMatch } })

overEveryStore((store) => {
  layer(serverOver(store, environment))(`versions over ${store.name}`, (it) => {
    it.effect("one pipe has an ETag, for HEAD too; a list, an error and a deletion have none", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* read()).headers.get("etag"), '"1"')
        const url = yield* ServerUrl
        const head = { method: "HEAD", headers: { authorization } }
        const answer = yield* Effect.promise(() => fetch(`${url}${pipePath(firstPipe)}`, head))
        assert.strictEqual(answer.headers.get("etag"), '"1"')
        for (const path of [pipePath("").slice(0, -1), pipePath("00000000-0000-4000-8000-00000000dead")]) {
          assert.isNull((yield* call(path, { authorization })).headers.get("etag"), path)
        }
      })
    )

    for (const list of ['"2"', 'W/"1"', '"abc"', '"01"', '"1', "1", '"2", W/"1"', '""', '"9007199254740993"']) {
      it.effect(`If-Match: ${list} changes nothing`, () =>
        Effect.gen(function* () {
          const { headers, json, status } = yield* remove(list)
          const isMalformed = list === "1" || list === '"1'
          assert.strictEqual(status, isMalformed ? 400 : 412)
          assert.include(json.error, isMalformed ? "BAD_REQUEST: if-match: Expected" : "PRECONDITION_FAILED: ")
          assert.isNull(headers.get("etag"))
          assert.strictEqual((yield* read()).status, 200)
        })
      )
    }

    it.effect("If-Match is a 412 for a service, which has no version, and * is any", () =>
      Effect.gen(function* () {
        const path = `${pipePath("").slice(0, pipePath("").indexOf("/dbpipes"))}/state`
        const change = { method: "PATCH", authorization, body: { command: "start" } }
        for (const [list, status] of [
          ['"1"', 412],
          ["*", 200]
        ] as const) {
          assert.strictEqual((yield* call(path, { ...change, headers: { "if-match": list } })).status, status)
        }
      })
    )

    it.effect(
      "If-Match with the version, among others and in any spelling, or *, deletes; an unknown id is a 404",
      () =>
        Effect.gen(function* () {
          assert.strictEqual((yield* remove('"1"', "00000000-0000-4000-8000-00000000dead")).status, 404)
          assert.strictEqual((yield* remove(' W/"3" ,"2",, "x,y", "1" ')).status, 200)
          assert.strictEqual((yield* remove('"1"')).status, 404)
          assert.strictEqual((yield* remove("*", secondPipe)).status, 200)
          assert.strictEqual((yield* remove("*", secondPipe)).status, 404)
        })
    )
  })
})

layer(memoryServer(environment, { dialect: clickhouse }))("versions in the clickhouse dialect", (it) => {
  it.effect("are the same, and a request with too many of them is a 400", () =>
    Effect.gen(function* () {
      const path = pipePath(firstPipe, { segment: "clickpipes" })
      assert.strictEqual((yield* call(path, { authorization })).headers.get("etag"), '"1"')
      const headers = { "if-match": Array.from({ length: 11 }, (_, n) => `"${n + 1}"`).join(",") }
      assert.strictEqual((yield* call(path, { method: "DELETE", authorization, headers })).status, 400)
    })
  )
})
