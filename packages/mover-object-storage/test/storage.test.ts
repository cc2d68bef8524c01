import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import { ObjectStorage } from "../src/index.ts"

/** A storage that gives the same answer to each request, and a source that reads it. */
const sourceOf = Effect.fnUntraced(function* (status: number, body: string) {
  const server = createServer((_, response) => void response.writeHead(status).end(body))
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return yield* ObjectStorage.make({
    url: `http://127.0.0.1:${port}/bucket/**`,
    format: "JSONEachRow",
    compression: "auto",
    isContinuous: false
  })
})

const limits = { rows: 1000, bytes: 1_000_000, wait: Duration.millis(50) }

const listOf = (contents: string, isTruncated = false) =>
  `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents}</ListBucketResult>`

const fields = "<Key>a</Key><ETag>1</ETag><Size>2</Size>"

describe("the answers of a storage", () => {
  it.live("are read with fields that are not known", () =>
    Effect.gen(function* () {
      const more = "<Owner><ID>b</ID></Owner>"
      const { source } = yield* sourceOf(200, listOf(`${more}<Contents>${more}${fields}</Contents>`))
      const plan = yield* source.plan("objects", "", limits)
      assert.include(plan, { _tag: "Planned", to: "1", bytes: 2 })
      assert.include(JSON.stringify(plan), String.raw`\"key\":\"a\"`)
    })
  )

  for (const [title, contents] of [
    ["an object whose fields are deeper", `<Contents><Object>${fields}</Object></Contents>`],
    ["an object within an object", `<Contents><Contents>${fields}</Contents></Contents>`],
    ["a field that has elements", `<Contents>${fields.replace("a", "a<b>c</b>")}</Contents>`],
    ["many namespaces", `<Contents>${fields}</Contents>${'<a xmlns:b="c">'.repeat(101)}${"</a>".repeat(101)}`]
  ] as const) {
    it.live(`are no list with ${title}`, () =>
      Effect.gen(function* () {
        const { source } = yield* sourceOf(200, listOf(contents))
        const error = yield* Effect.flip(source.plan("objects", "", limits))
        assert.strictEqual(error.message, "the storage 127.0.0.1 answers with something else than a list")
      })
    )
  }

  for (const [title, contents] of [
    ["without keys", ""],
    ["with the keys of the last one", "<Contents><Key>a/</Key><ETag>1</ETag><Size>0</Size></Contents>"]
  ] as const) {
    it.live(`are refused when more keys follow a list ${title}`, () =>
      Effect.gen(function* () {
        const { first, source } = yield* sourceOf(200, listOf(contents, true))
        const message = "the storage 127.0.0.1 says that more keys follow, and lists none of them"
        assert.strictEqual((yield* Effect.flip(source.plan("objects", "", limits))).message, message)
        assert.strictEqual((yield* Effect.flip(first)).message, message)
      })
    )
  }

  it.live("are cut where a message repeats them", () =>
    Effect.gen(function* () {
      const { source } = yield* sourceOf(403, `<Error><Code>${"x".repeat(1_000_000)}</Code></Error>`)
      const { message } = yield* Effect.flip(source.plan("objects", "", limits))
      assert.strictEqual(message, `the storage 127.0.0.1 refuses to list the bucket: 403 ${"x".repeat(300)}`)
    })
  )
})
