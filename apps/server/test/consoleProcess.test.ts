import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { serverProcess } from "./support/processes.ts"

const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const gateway = [
  "--upstream http://127.0.0.1:9 --upstream-key-id k --upstream-key-secret the-password",
  "--upstream-organization 5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11"
]
  .join(" ")
  .split(" ")

describe("the console of a real server", () => {
  it.live("is the page that was built, with what it loads", () =>
    Effect.gen(function* () {
      const { printed, url } = yield* serverProcess("--memory", "--dialect", "clickhouse")
      assert.include(printed.stderr, `\n  console  ${url}/console\n`)
      assert.strictEqual(JSON.parse((yield* get(url)).text).console, "/console")
      const page = yield* get(`${url}/console`)
      assert.strictEqual(page.status, 200)
      assert.match(page.text, /<html lang="en" data-dialect="clickhouse" data-version="[\d.]+" data-simulated="true">/)
      const loaded = Array.from(page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path = ""]) => path)
      assert.isAbove(loaded.length, 1)
      for (const path of loaded) {
        const asset = yield* get(url + path)
        assert.strictEqual(asset.status, 200, path)
        assert.match(asset.headers.get("content-type") ?? "", /^text\/(?:javascript|css); charset=utf-8$/)
        assert.isAbove(asset.text.length, 100)
      }
    })
  )

  it.live("is measured by its three paths, whatever is asked for", () =>
    Effect.gen(function* () {
      const { url } = yield* serverProcess("--memory")
      const paths = ["", "/", "/pipes/1", "/pipes/2", "/secret-name", "/assets/secret-name.js", "/x.png"]
      for (const path of paths) yield* get(`${url}/console${path}`)
      const { text } = yield* get(`${url}/metrics`)
      const routes = new Set(Array.from(text.matchAll(/route="(\/console[^"]*)"/g), ([, route]) => route))
      assert.deepStrictEqual(Array.from(routes).toSorted(), ["/console", "/console/*", "/console/assets/*"])
      assert.notInclude(text, "secret-name")
    })
  )

  it.live("is told whether the server moves rows", () =>
    Effect.gen(function* () {
      const { url } = yield* serverProcess("--memory", "--warehouse", "http://127.0.0.1:9")
      assert.include((yield* get(`${url}/console`)).text, `data-simulated="false"`)
    })
  )

  it.live("is away with --console off", () =>
    Effect.gen(function* () {
      const { printed, url } = yield* serverProcess("--memory", "--console", "off")
      assert.notInclude(printed.stderr, "console")
      assert.notProperty(JSON.parse((yield* get(url)).text), "console")
      const { headers, status } = yield* get(`${url}/console`)
      assert.deepStrictEqual([status, headers.get("content-type")], [404, "application/json"])
    })
  )

  it.live("is a page that says why not, of a gateway", () =>
    Effect.gen(function* () {
      const { printed, url } = yield* serverProcess("--memory", ...gateway)
      assert.notInclude(printed.stderr, "console")
      assert.notProperty(JSON.parse((yield* get(url)).text), "console")
      const { headers, status, text } = yield* get(`${url}/console`)
      assert.deepStrictEqual([status, headers.get("content-type")], [404, "text/html; charset=utf-8"])
      assert.include(text, "This server is a gateway")
    })
  )
})
