import { assert, it, layer } from "@effect/vitest"
import { clickhouse, dialects, neutral, operations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { unservedPaths } from "../src/http/unservedPaths.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import { environment } from "./support/environment.ts"

const page = readFileSync(new URL("../../../docs/compatibility.md", import.meta.url), "utf8")

/** The first column of a section's table. */
const listed = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = page.split(`\n## ${heading}\n`)
  return Array.from((section.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gmu), ([, path = ""]) => path)
}

const template = (path: string): string => path.replaceAll(/:(\w+)/gu, "{$1}")
const filled = (path: string): string => path.replaceAll(/:\w+/gu, "00000000-0000-4000-8000-000000000001")

it("the compatibility page lists the paths that are not served", () => {
  assert.deepStrictEqual(listed("Paths that are not served"), unservedPaths.map(template))
})

it("no path that is not served is in the contract", () => {
  const served = Object.values(operations(clickhouse)).flatMap((table) => Object.values(table).map(({ path }) => path))
  for (const path of unservedPaths)
    assert.deepStrictEqual(
      served.filter((other) => other === path || other.startsWith(`${path}/`)),
      [],
      path
    )
})

layer(memoryServer(environment, { dialect: dialects.clickhouse }))("in the clickhouse dialect", (it) => {
  it.effect("a path that is not served is a 405 in the shape of its API, without credentials, as any 405", () =>
    Effect.gen(function* () {
      for (const path of unservedPaths.map(filled)) {
        const requests = { GET: path, PUT: `${path}/`, DELETE: `${path}/one`, POST: `${path}/one/two?limit=1` }
        for (const [method, spelled] of Object.entries(requests)) {
          const { headers, json, status } = yield* call(spelled, { method })
          assert.strictEqual(status, 405, `${method} ${spelled}`)
          assert.strictEqual(headers.get("allow"), "")
          const text = "this server does not serve this part of the API"
          if (path.startsWith("/api/")) assert.deepStrictEqual(json, { message: text })
          else assert.strictEqual(json.error, `METHOD_NOT_ALLOWED: ${text}`)
        }
      }
    })
  )

  it.effect("a path that the real service has neither is a 404", () =>
    Effect.gen(function* () {
      for (const path of unservedPaths.map(filled))
        assert.strictEqual((yield* call(`${path}s-of-nobody`)).status, 404, path)
    })
  )
})

layer(memoryServer(environment, { dialect: neutral }))("in the neutral dialect", (it) => {
  it.effect("they are unknown paths", () =>
    Effect.gen(function* () {
      for (const path of unservedPaths.map(filled)) assert.strictEqual((yield* call(path)).status, 404, path)
    })
  )
})
