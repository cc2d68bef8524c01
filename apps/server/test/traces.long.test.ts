import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { collector } from "./support/collector.ts"
import { basic } from "./support/liveServer.ts"
import { readCredentials, serverProcessIn, temporaryDirectory } from "./support/processes.ts"
import { keysPath } from "./support/environment.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"

const adminToken = "the-admin-token-of-a-server-that-exports-traces"

/**
 * A server that exports to a collector, after four requests: with a parent, with a wrong secret, a probe, and one to `/_admin`. All
 * have the admin token.
 */
const traced = (endpoint: string) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const file = join(directory, "credentials.json")
    const server = yield* serverProcessIn(
      { HEADGATE_ADMIN_TOKEN: adminToken },
      "--data",
      join(directory, "data"),
      "--credentials-file",
      file,
      "--otlp-endpoint",
      endpoint,
      "--admin"
    )
    const owner = readCredentials(file)[0]!
    const keys = `${server.url}${keysPath(owner.organization.id)}?secret=in-the-query`
    const headers = {
      authorization: basic(owner.keyId, owner.keySecret),
      "content-type": "application/json",
      "headgate-admin-token": adminToken
    }
    const answers = yield* Effect.promise(async () => [
      await fetch(keys, {
        method: "POST",
        headers: { ...headers, traceparent: `00-${traceId}-${parentId}-01` },
        body: '{"name":"in-the-body"}'
      }),
      await fetch(keys, { method: "POST", headers: { ...headers, authorization: basic(owner.keyId, "wrong-secret") } }),
      await fetch(`${server.url}/readyz`),
      await fetch(`${server.url}/_admin/faults`, { headers: { "headgate-admin-token": adminToken } })
    ])
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 401, 200, 200]
    )
    const created: any = yield* Effect.promise(() => answers[0]!.json())
    return { server, owner, created }
  })

const attributesOf = (span: any) =>
  Object.fromEntries(span.attributes.map(({ key, value }: any) => [key, value.stringValue ?? Number(value.intValue)]))

describe("--otlp-endpoint", () => {
  it.live("sends a span for each request, a child of the caller's, without secrets", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector(() => (_, response) => response.end("{}"))
      const { created, owner, server } = yield* traced(url)
      const { code, complaints } = yield* Effect.promise(() => server.stop())
      assert.deepStrictEqual([code, complaints], [0, ""])
      assert.isTrue(received.every((text) => text.startsWith("POST /v1/traces {")))
      const resources = received.flatMap((text) => JSON.parse(text.slice("POST /v1/traces ".length)).resourceSpans)
      assert.include(JSON.stringify(resources[0].resource), '"headgate-server"')
      const spans: ReadonlyArray<any> = resources.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }: any) => spans)
      )
      const name = "POST /v1/organizations/{organizationId}/keys"
      const [made, refused, ...others] = spans.filter((span) => span.name === name)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual([made.traceId, made.parentSpanId], [traceId, parentId])
      assert.notStrictEqual(refused.traceId, traceId)
      assert.deepStrictEqual(attributesOf(made), {
        "http.request.method": "POST",
        "http.route": "/v1/organizations/{organizationId}/keys",
        "url.path": keysPath(owner.organization.id),
        "client.address": "127.0.0.1",
        "headgate.request_id": created.requestId,
        "headgate.key_id_suffix": owner.keyId.slice(-4),
        "http.response.status_code": 200
      })
      assert.strictEqual(attributesOf(refused)["http.response.status_code"], 401)
      // What was done for the request stands beneath it, and what watches the server nowhere.
      assert.isTrue(spans.some((span) => span.traceId === traceId && span.parentSpanId !== parentId))
      assert.isFalse(spans.some((span) => /readyz/.test(JSON.stringify(span))))
      const all = received.join("")
      const { key } = created.result
      for (const secret of [
        owner.keyId,
        owner.keySecret,
        owner.token,
        basic(owner.keyId, owner.keySecret),
        created.result.keyId,
        created.result.keySecret,
        "wrong-secret",
        adminToken,
        "in-the-query",
        "in-the-body"
      ]) {
        assert.isString(secret)
        assert.notInclude(all, secret)
      }
      assert.notInclude(all, key.id)
    }).pipe(Effect.scoped)
  )

  it.live("fails no request, and holds up no end for long, when the collector is not there", () =>
    Effect.gen(function* () {
      const gone = yield* collector(() => () => undefined)
      gone.close()
      const { server } = yield* traced(gone.url)
      const { code, complaints } = yield* Effect.promise(() => server.stop())
      assert.deepStrictEqual([code, complaints], [0, ""])
    }).pipe(Effect.scoped)
  )

  it.live("nor when it never answers", () =>
    Effect.gen(function* () {
      const { received, url } = yield* collector(() => () => undefined)
      const { server } = yield* traced(url)
      const { code } = yield* Effect.promise(() => server.stop())
      assert.strictEqual(code, 0)
      assert.isAbove(received.length, 0)
    }).pipe(Effect.scoped)
  )
})
