import { assert, describe, it } from "vitest"
import { CallFailed } from "../../src/data/CallFailed.ts"
import { rolesFor } from "../../src/format/roles.ts"
import { adviceOf } from "../../src/pages/sign-in/advice.ts"

describe("adviceOf", () => {
  it.each([
    [401, "key", /id and this secret/],
    [403, "key", /^The server refuses the key: The server's words$/],
    [404, "key", /no such organization/],
    [429, "key", /attempts/],
    [undefined, "key", /running/],
    [401, "link", /used already.*five minutes.*headgate console/],
    [403, "link", /^The server refuses the link: The server's words$/],
    [429, "link", /links/],
    [undefined, "link", /running/]
  ] as const)("explains %s with a %s", (status, by, text) => {
    assert.match(adviceOf(new CallFailed("The server's words", { status }), by), text)
  })

  it("gives the words of the server where it knows nothing better", () => {
    assert.strictEqual(adviceOf(new CallFailed("The store is away.", { status: 503 }), "key"), "The store is away.")
    assert.strictEqual(adviceOf(new CallFailed("Broken", { status: 500 }), "link"), "Broken")
  })

  it("says when to try again", () => {
    const failed = new CallFailed("x", { status: 429, retryAfter: 12_100 })
    assert.match(adviceOf(failed, "key"), /failed\. Try again in 13 s\.$/)
    assert.strictEqual(
      adviceOf(new CallFailed("Away.", { status: 503, retryAfter: 1000 }), "link"),
      "Away. Try again in 1 s."
    )
  })
})

describe("rolesFor", () => {
  it("names the roles that grant a permission", () => {
    for (const permission of ["pipe:read", "pipe:discover", "dashboard:validate"])
      assert.match(rolesFor(permission), /developer and admin/)
    for (const permission of ["data:read", "pipe:create", "key:delete", "chart:query"])
      assert.strictEqual(rolesFor(permission), "The role admin does.")
    assert.notInclude(rolesFor("pipe:reads"), "developer")
  })
})
