import { assert, describe, it } from "@effect/vitest"
import { dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { environment, withToken } from "./support/environment.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import {
  alertTests,
  foreignContent,
  ownContent,
  savedSearchTests,
  type Step,
  type UpstreamTest,
  webhookTests
} from "./support/upstreamDocuments.ts"

const [own, other] = environment.organizations
const snapshot = {
  organizations: [
    { ...own, ...ownContent },
    { ...other, ...foreignContent }
  ]
}
const compatibility = readFileSync(new URL("../../../docs/compatibility.md", import.meta.url), "utf8")

const holds = ({ has, lacks = [], length, meta, status, text }: Step, answer: any) => {
  assert.strictEqual(answer.status, status, answer.text)
  if (text !== undefined) assert.match(answer.text, text)
  const data = status === 200 ? answer.json?.data : undefined
  if (length !== undefined) assert.lengthOf(data, length)
  if (meta !== undefined) {
    assert.deepStrictEqual(answer.json.meta, meta)
    assert.strictEqual(answer.headers.get("x-total-count"), String(meta.total))
  }
  if (Array.isArray(has)) assert.deepStrictEqual(data.filters, has)
  else if (has !== undefined) assert.deepInclude(data, has)
  for (const document of [data].flat()) for (const field of lacks) assert.notProperty(document, field)
}

const run = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  let id = ""
  for (const step of steps) {
    const [method, path, body] = step.request
    const authorization = step.isAnonymous === true ? {} : { authorization: withToken }
    const answer = yield* call(path.replace("{id}", id), { method, body, ...authorization })
    holds(step, answer)
    // The last that was created.
    if (method === "POST" && answer.status === 200) id = answer.json.data.id
  }
})

const groups: ReadonlyArray<readonly [string, ReadonlyArray<UpstreamTest>]> = [
  ["alerts", alertTests],
  ["webhooks", webhookTests],
  ["saved searches", savedSearchTests]
]

// The tests of the real service that need HTTP alone: they read no store, and no part of the service is replaced in them.
for (const [noun, tests] of groups) {
  describe(`what the tests of the real service expect of ${noun}`, () => {
    for (const { steps, title } of tests) {
      it.effect(title, () => run(steps).pipe(Effect.provide(memoryServer(snapshot, { dialect: dialects.clickhouse }))))
    }

    it("is counted in docs/compatibility.md", () => {
      assert.include(compatibility, `${noun} ${tests.length} of ${tests.length}`)
    })
  })
}
