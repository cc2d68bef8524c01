import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { ManagementConnection, sendRaw } from "../src/index.ts"
import { serve } from "./support/FaultServer.ts"

it.live("sendRaw answers any status and body of one attempt, under the path of the base URL", () =>
  Effect.gen(function* () {
    const { baseUrl, paths } = yield* serve((_, response) => void response.writeHead(503).end("not JSON"))
    const connection = ManagementConnection.layer({
      baseUrl: `${baseUrl}/base/v1`,
      keyId: "k",
      keySecret: Redacted.make("s")
    }).pipe(Layer.provide(FetchHttpClient.layer))
    const answer = yield* ManagementConnection.use((connection) =>
      sendRaw(connection, "management")({ method: "GET", path: "/v1/anything?x=1" })
    ).pipe(Effect.provide(connection))
    assert.deepStrictEqual([answer.status, answer.body], [503, "not JSON"])
    assert.deepStrictEqual(paths, ["/base/v1/anything?x=1"])
  })
)
