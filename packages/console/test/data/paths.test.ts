import { assert, describe, it } from "vitest"
import { paramsBefore, paramsOf, pathOf } from "../../src/data/paths.ts"

const pattern = "/organizations/:organizationId/keys/:keyId"

describe("paths", () => {
  it("finds the parameters of a path, decoded", () => {
    assert.deepStrictEqual(paramsOf(pattern, "/organizations/o/keys/a%2Fb"), { organizationId: "o", keyId: "a/b" })
    assert.deepStrictEqual(paramsOf("/", "/"), {})
  })

  it.each(["/", "/organizations/o/keys", "/organizations/o/pipes/k", "/organizations/o/keys/k/x", "/x/o/keys/k"])(
    "does not match %s",
    (path) => {
      assert.isUndefined(paramsOf(pattern, path))
    }
  )

  it("keeps a text that is not encoded right", () => {
    assert.deepStrictEqual(paramsOf("/:name", "/%E0%A4%A"), { name: "%E0%A4%A" })
  })

  it("finds the parameters at the beginning of a longer path", () => {
    assert.deepStrictEqual(paramsBefore("/organizations/:organizationId", "/organizations/o/keys/k"), {
      organizationId: "o"
    })
    assert.isUndefined(paramsBefore(pattern, "/organizations/o"))
    assert.isUndefined(paramsBefore(pattern, "/x/o/keys/k"))
  })

  it("fills a path in, so that it is found again", () => {
    const params = { organizationId: "ö ?", keyId: "a/b" }
    assert.strictEqual(pathOf(pattern, params), "/organizations/%C3%B6%20%3F/keys/a%2Fb")
    assert.deepStrictEqual(paramsOf(pattern, pathOf(pattern, params)), params)
    assert.strictEqual(pathOf("/x/:y", {}), "/x/")
  })
})
