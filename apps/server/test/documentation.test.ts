import { assert, describe, layer } from "@effect/vitest"
import { dialects, openApi } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { call, memoryServer } from "./support/liveServer.ts"
import { world } from "./support/world.ts"

describe("what the server says of itself", () => {
  for (const dialect of Object.values(dialects)) {
    layer(memoryServer(world, { dialect }), { excludeTestServices: true })(dialect.name, (it) => {
      it.effect("serves the contract's OpenAPI document to anyone", () =>
        Effect.gen(function* () {
          const { json, status } = yield* call("/openapi.json")
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(json, JSON.parse(JSON.stringify(openApi(dialect))))
          assert.match(json.openapi, /^3\.1\./)
        })
      )

      it.effect("serves a documentation page that loads nothing from elsewhere", () =>
        Effect.gen(function* () {
          const { headers, status, text } = yield* call("/docs")
          assert.strictEqual(status, 200)
          assert.match(headers.get("content-type") ?? "", /^text\/html/)
          const page = text.replaceAll(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, "")
          assert.notMatch(page, /(?:src|href)\s*=/)
          assert.include(text, dialect.pipesSegment)
        })
      )
    })
  }
})
