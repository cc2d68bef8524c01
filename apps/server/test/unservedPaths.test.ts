import { assert, describe, layer } from "@effect/vitest"
import { dialects, unservedPaths } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { call, memoryServer } from "./support/liveServer.ts"
import { as, firstPipe, world } from "./support/world.ts"

describe("a path of the API whose operations are not served", () => {
  for (const dialect of Object.values(dialects)) {
    layer(memoryServer(world, { dialect }), { excludeTestServices: true })(dialect.name, (it) => {
      it.effect.each(unservedPaths(dialect).map((path) => ({ path })))(
        "$path is a 405, as if nothing were gone",
        ({ path }) =>
          Effect.gen(function* () {
            for (const method of ["GET", "PUT", "PATCH", "POST", "DELETE"]) {
              const { headers, json, status } = yield* call(path.replaceAll(/:\w+/g, firstPipe), {
                method,
                authorization: as("admin")
              })
              assert.deepStrictEqual([status, headers.get("allow")], [405, ""])
              assert.match(json.message ?? json.error, /this server does not serve the operations of this path$/)
              assert.deepStrictEqual(
                Object.keys(json),
                path.startsWith("/api/") ? ["message"] : ["status", "error", "requestId"]
              )
            }
          })
      )
    })
  }
})
