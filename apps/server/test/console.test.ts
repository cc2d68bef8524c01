import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { get, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll } from "vitest"
import { consoleRoutes, noConsoleRoutes } from "../src/console/consoleRoutes.ts"
import { indexRoute } from "../src/http/Documentation.ts"
import { environment } from "./support/environment.ts"
import { type Answer, call, memoryServer, ServerUrl } from "./support/liveServer.ts"
import { openConnection } from "./support/rawConnection.ts"

const folder = mkdtempSync(join(tmpdir(), "headgate-console-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = {
  "index.html": `<!doctype html>\n<html lang="en"><head><title>Console</title></head></html>\n`,
  "secret.js": "outside of assets",
  "assets/index-AAAA.js": `console.log("${"x".repeat(5000)}")\n`,
  "assets/style-BBBB.css": `body { margin: 0 } /* ${"y".repeat(5000)} */\n`,
  "assets/notes.txt": "of no type that a page loads"
}
const site = join(folder, "site")
mkdirSync(join(site, "assets"), { recursive: true })
for (const [name, text] of Object.entries(files)) writeFileSync(join(site, name), text)
writeFileSync(join(folder, "outside.js"), "outside")
symlinkSync(join(folder, "outside.js"), join(site, "assets", "link-CCCC.js"))

const routes = [
  indexRoute("1.2.3", true),
  ...consoleRoutes({
    folder: pathToFileURL(`${site}/`),
    dialect: "clickhouse",
    version: "1.2.3",
    isSimulated: true
  })
]

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'"
]

const isGuarded = ({ headers }: Answer) => {
  assert.deepStrictEqual(headers.get("content-security-policy")?.split("; "), policy)
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
  assert.strictEqual(headers.get("x-frame-options"), "DENY")
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
  assert.strictEqual(headers.get("cross-origin-opener-policy"), "same-origin")
  assert.match(headers.get("permissions-policy") ?? "", /camera=\(\)/)
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
}

const isMissing = ({ headers, status, text }: Answer) => {
  assert.strictEqual(status, 404)
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.match(headers.get("content-type") ?? "", /^application\/json/)
  assert.include(text, "NOT_FOUND: there is no such path in this API")
}

/** Sends a path as it is written: `fetch` would resolve its dots. */
const raw = (path: string) =>
  Effect.flatMap(ServerUrl, (url) =>
    Effect.promise(async () => {
      const connection = await openConnection(url)
      connection.send(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
      return await connection.closed
    })
  )

const byBrowser = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "sec-fetch-mode": "navigate"
}

/** An answer to `GET /`. `fetch` would send a `Sec-Fetch-Mode` of its own, and follow a redirect. */
const index = (headers: Readonly<Record<string, string>>) =>
  Effect.flatMap(ServerUrl, (url) =>
    Effect.callback<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resume) => {
      get(url, { headers }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        response.once("end", () =>
          resume(Effect.succeed({ status: response.statusCode, headers: response.headers, text }))
        )
      })
    })
  )

layer(memoryServer(environment, { routes }), { excludeTestServices: true })("the console", (it) => {
  for (const path of [
    "/console",
    "/console/",
    "/console?range=1h#code=x",
    "/console/pipes",
    "/console/a.b/pipes/2f0c",
    "/console/%C3%A9"
  ]) {
    it.effect(`${path} is the page, which is told what serves it`, () =>
      Effect.gen(function* () {
        const answer = yield* call(path)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(
          answer.text,
          `<!doctype html>\n<html lang="en" data-dialect="clickhouse" data-version="1.2.3" data-simulated="true">` +
            "<head><title>Console</title></head></html>\n"
        )
        assert.strictEqual(answer.headers.get("content-type"), "text/html; charset=utf-8")
        assert.strictEqual(answer.headers.get("cache-control"), "no-cache")
        isGuarded(answer)
        const etag = answer.headers.get("etag") ?? ""
        const again = yield* call(path, { headers: { "if-none-match": etag } })
        assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag])
        isGuarded(again)
      })
    )
  }

  for (const [name, type] of [
    ["assets/index-AAAA.js", "text/javascript; charset=utf-8"],
    ["assets/style-BBBB.css", "text/css; charset=utf-8"]
  ] as const) {
    it.effect(`/console/${name} may be kept for good, and is sent compressed to who accepts it`, () =>
      Effect.gen(function* () {
        const plain = yield* call(`/console/${name}`, { headers: { "accept-encoding": "identity" } })
        const compressed = yield* call(`/console/${name}?x=1`, { headers: { "accept-encoding": "gzip" } })
        for (const answer of [plain, compressed]) {
          assert.deepStrictEqual([answer.status, answer.text], [200, files[name]])
          assert.strictEqual(answer.headers.get("content-type"), type)
          assert.strictEqual(answer.headers.get("cache-control"), "public, max-age=31536000, immutable")
          assert.strictEqual(answer.headers.get("vary"), "accept-encoding")
          isGuarded(answer)
        }
        assert.strictEqual(plain.headers.get("content-length"), String(files[name].length))
        assert.strictEqual(compressed.headers.get("content-encoding"), "gzip")
        assert.isBelow(Number(compressed.headers.get("content-length")), 200)
        const etag = plain.headers.get("etag") ?? ""
        assert.strictEqual(compressed.headers.get("etag"), etag)
        const again = yield* call(`/console/${name}`, { headers: { "if-none-match": etag } })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
      })
    )
  }

  for (const path of [
    "/console/favicon.ico",
    "/console/index.html",
    "/console/secret.js",
    "/console/assets/",
    "/console/assets/pipes",
    "/console/assets/index-ZZZZ.js",
    "/console/assets/index-AAAA.js/",
    "/console/assets/index-AAAA.js/x",
    "/console/assets/notes.txt",
    "/console/assets/link-CCCC.js",
    "/console/assets/%69ndex-AAAA.js",
    "/console/assets/index-AAAA.js%00",
    "/console/assets/__proto__",
    "/consoles"
  ]) {
    it.effect(`${path} is not there, and no page is answered in its place`, () => Effect.map(call(path), isMissing))
  }

  for (const path of [
    "/console/../secret.js",
    "/console/assets/../secret.js",
    "/console/assets/../index.html",
    "/console/assets/../../outside.js",
    "/console/assets/%2e%2e/secret.js",
    "/console/assets/%2E%2E%2Fsecret.js",
    "/console/assets/..%2fsecret.js",
    "/console/assets/..%5csecret.js",
    "/console/assets/..\\secret.js",
    "/console/assets/%252e%252e/secret.js",
    "/console/assets//index-AAAA.js",
    "/console/assets/./index-AAAA.js",
    `/console/assets/${encodeURIComponent(join(folder, "outside.js"))}`,
    `/console/assets/${folder}/outside.js`,
    "/console/%2e%2e/v1",
    "/console/../v1",
    "/console/a%2fb",
    "/console/a%00",
    "/console/%2e%2e%2f%2e%2e%2fetc%2fpasswd"
  ]) {
    it.effect(`${path} leads nowhere`, () =>
      Effect.gen(function* () {
        const answer = yield* raw(path)
        assert.match(answer, /^HTTP\/1\.1 404 /)
        assert.notInclude(answer, "outside")
        assert.notInclude(answer, "<html")
      })
    )
  }

  for (const path of ["/console", "/console/pipes", "/console/assets/index-AAAA.js"]) {
    it.effect(`${path} takes GET and HEAD alone`, () =>
      Effect.gen(function* () {
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
          const refused = yield* call(path, { method })
          assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"])
        }
        const [head, get] = [yield* call(path, { method: "HEAD" }), yield* call(path)]
        assert.deepStrictEqual([head.status, head.text], [200, ""])
        for (const name of ["etag", "content-type", "content-length", "cache-control"]) {
          assert.strictEqual(head.headers.get(name), get.headers.get(name))
        }
      })
    )
  }

  it.effect("the documentation page keeps its own policy", () =>
    Effect.gen(function* () {
      const { headers } = yield* call("/docs")
      assert.include(headers.get("content-security-policy") ?? "", "script-src 'unsafe-inline'")
    })
  )

  for (const accept of [
    byBrowser.accept,
    "text/html",
    "application/json;q=0.5, text/*",
    "*/*;q=0.1, text/html; charset=utf-8; q=0.2"
  ]) {
    it.effect(`GET / of a browser that accepts ${accept} leads to it`, () =>
      Effect.gen(function* () {
        const { headers, status } = yield* index({ ...byBrowser, accept })
        assert.deepStrictEqual([status, headers.location], [303, "/console"])
        assert.strictEqual(headers.vary, "accept, sec-fetch-mode")
        assert.strictEqual(headers["cache-control"], "no-store")
      })
    )
  }

  for (const headers of [
    { accept: "*/*" },
    { accept: "application/json" },
    { accept: byBrowser.accept },
    { ...byBrowser, "sec-fetch-mode": "cors" },
    { ...byBrowser, "sec-fetch-mode": "no-cors" },
    { ...byBrowser, accept: "*/*" },
    { ...byBrowser, accept: "" },
    { ...byBrowser, accept: "text/html, application/json" },
    { ...byBrowser, accept: "text/html;q=0.4, application/*;q=0.5" },
    { ...byBrowser, accept: "text/html;q=0, */*;q=0.1" },
    { ...byBrowser, accept: "text/html;q=x" }
  ]) {
    it.effect(`GET / is JSON for ${JSON.stringify(headers)}`, () =>
      Effect.gen(function* () {
        const answer = yield* index(headers)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers.vary, "accept, sec-fetch-mode")
        assert.deepStrictEqual(JSON.parse(answer.text), {
          server: "headgate-server",
          version: "1.2.3",
          docs: "/docs",
          openapi: "/openapi.json",
          console: "/console"
        })
      })
    )
  }
})

layer(memoryServer(environment, { routes: [indexRoute("1.2.3", false)] }), { excludeTestServices: true })(
  "a server without a console",
  (it) => {
    it.effect("answers a 404 of the API at each of its paths", () =>
      Effect.gen(function* () {
        for (const path of ["/console", "/console/pipes", "/console/assets/index-AAAA.js"]) isMissing(yield* call(path))
      })
    )

    it.effect("sends no browser there", () =>
      Effect.gen(function* () {
        const answer = yield* index(byBrowser)
        assert.deepStrictEqual([answer.status, answer.headers.vary], [200, undefined])
        assert.deepStrictEqual(JSON.parse(answer.text), {
          server: "headgate-server",
          version: "1.2.3",
          docs: "/docs",
          openapi: "/openapi.json"
        })
      })
    )
  }
)

for (const [reason, told] of [
  ["gateway", "--upstream"],
  ["mover", "--role mover"]
] as const) {
  layer(memoryServer(environment, { routes: noConsoleRoutes(reason) }), { excludeTestServices: true })(
    `a ${reason}`,
    (it) => {
      it.effect("tells a person why it has no console", () =>
        Effect.gen(function* () {
          for (const path of ["/console", "/console/pipes/1", "/console/assets/index-AAAA.js"]) {
            const { headers, status, text } = yield* call(path)
            assert.deepStrictEqual([status, headers.get("content-type")], [404, "text/html; charset=utf-8"])
            assert.include(text, told)
            assert.notMatch(text, /<script|<style|style=|href|src=/)
            assert.strictEqual(
              headers.get("content-security-policy"),
              "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
            assert.strictEqual(headers.get("cache-control"), "no-store")
            assert.strictEqual((yield* call(path, { method: "POST" })).status, 405)
          }
        })
      )
    }
  )
}

describe("a console whose files are not there", () => {
  const lost = join(folder, "lost")
  const lostRoutes = consoleRoutes({
    folder: pathToFileURL(`${lost}/`),
    dialect: "neutral",
    version: "1.2.3",
    isSimulated: false
  })

  it.live("is a 500 until they are", () =>
    Effect.gen(function* () {
      const answer = yield* call("/console")
      assert.strictEqual(answer.status, 500)
      assert.notInclude(answer.text, lost)
      mkdirSync(join(lost, "assets"), { recursive: true })
      writeFileSync(join(lost, "index.html"), readFileSync(join(site, "index.html")))
      const found = yield* call("/console")
      assert.strictEqual(found.status, 200)
      assert.include(found.text, `data-dialect="neutral" data-version="1.2.3" data-simulated="false"`)
    }).pipe(Effect.provide(memoryServer(environment, { routes: lostRoutes })))
  )
})
