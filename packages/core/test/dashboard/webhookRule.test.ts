import { assert, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { webhookRule } from "../../src/dashboard/webhookRule.ts"

const issuesOf = (fields: object) =>
  webhookRule.issues(
    { name: "a", service: "generic", url: "https://hooks.example.com/", ...fields },
    DateTime.makeUnsafe(0)
  )

it("says which names headers may have", () => {
  const [issue] = issuesOf({ headers: { "1-secret": "v" } })
  assert.strictEqual(issue?.path, "headers")
  assert.match(issue?.message ?? "", /no digit at the beginning/)
  assert.notInclude(issue?.message ?? "", "1-secret")
})

it("takes spaces in the names of parameters, and says what it does not take", () => {
  assert.deepStrictEqual(issuesOf({ queryParams: { "a b": "v" } }), [])
  const [issue] = issuesOf({ queryParams: { "a\nsecret": "v" } })
  assert.strictEqual(issue?.path, "queryParams")
  assert.notInclude(issue?.message ?? "", "spaces")
  assert.notInclude(issue?.message ?? "", "secret")
})
