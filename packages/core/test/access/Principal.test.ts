import { assert, describe, it } from "@effect/vitest"
import {
  isAuthorized,
  isPermitted,
  type KeyPrincipal,
  Permission,
  type TokenPrincipal
} from "../../src/access/Principal.ts"
import { Role } from "../../src/key/ids.ts"
import { apiKeyId, organizationId, tokenId } from "../ids.ts"

// A permission that is added must be put into this table: the type asks for it.
const table: Record<Permission, Record<Role | "token", boolean>> = {
  "pipe:read": { admin: true, developer: true, query_endpoints: false, token: false },
  "pipe:delete": { admin: true, developer: false, query_endpoints: false, token: false },
  "key:create": { admin: true, developer: false, query_endpoints: false, token: false },
  "dashboard:read": { admin: true, developer: true, query_endpoints: false, token: true },
  "dashboard:create": { admin: true, developer: false, query_endpoints: false, token: true }
}

const key = (...roles: ReadonlyArray<Role>): KeyPrincipal => ({
  _tag: "KeyPrincipal",
  organizationId,
  keyId: apiKeyId,
  roles
})
const token: TokenPrincipal = { _tag: "TokenPrincipal", organizationId, tokenId }

describe.each(Permission.literals.map((permission) => ({ permission })))("$permission", ({ permission }) => {
  it.each(Role.literals.map((role) => ({ role, allowed: table[permission][role] })))(
    "$role: $allowed",
    ({ allowed, role }) => {
      assert.strictEqual(isPermitted([role], permission), allowed)
      assert.strictEqual(isAuthorized(key(role), permission), allowed)
    }
  )

  it("is granted to no one without roles", () => {
    for (const roles of [undefined, null, []]) assert.isFalse(isPermitted(roles, permission))
    assert.isFalse(isAuthorized(key(), permission))
  })

  it("is granted when any of several roles grants it", () => {
    const { developer } = table[permission]
    assert.strictEqual(isPermitted(["query_endpoints", "developer"], permission), developer)
    assert.isTrue(isPermitted(["query_endpoints", "developer", "admin"], permission))
  })

  it("is granted to a bearer token for dashboards only", () => {
    assert.strictEqual(isAuthorized(token, permission), table[permission].token)
  })
})
