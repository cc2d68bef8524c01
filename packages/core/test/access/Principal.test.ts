import { assert, describe, it } from "@effect/vitest"
import {
  isAuthorized,
  isPermitted,
  type KeyPrincipal,
  Permission,
  permissionsOf,
  TokenGrant,
  type TokenPrincipal
} from "../../src/access/Principal.ts"
import { SystemRole } from "../../src/id/role.ts"
import { apiKeyId, organizationId, tokenId } from "../ids.ts"

// A permission that is added must be put into this table: the type asks for it.
const nobody = { none: false, admin: false, developer: false, query_endpoints: false, token: false }
const adminOnly = { ...nobody, admin: true }
const readers = { ...adminOnly, developer: true }
const everyKey = { ...readers, none: true, query_endpoints: true }
const adminAndToken = { ...adminOnly, token: true }
const readersAndToken = { ...readers, token: true }

const table: Record<Permission, Record<SystemRole | "none" | "token", boolean>> = {
  "organization:read": everyKey,
  "console:open": everyKey,
  "service:read": readers,
  "service:update": adminOnly,
  "data:read": adminOnly,
  "pipe:read": readers,
  "pipe:create": adminOnly,
  "pipe:update": adminOnly,
  "pipe:delete": adminOnly,
  "pipe:discover": readers,
  "endpoint:read": readers,
  "endpoint:write": adminOnly,
  "key:read": readers,
  "key:create": adminOnly,
  "key:update": adminOnly,
  "key:delete": adminOnly,
  "role:read": readers,
  "role:write": adminOnly,
  "dashboard:read": readersAndToken,
  "dashboard:create": adminAndToken,
  "dashboard:update": adminAndToken,
  "dashboard:delete": adminAndToken,
  "dashboard:validate": readersAndToken,
  "connection:read": readersAndToken,
  "connection:write": adminAndToken,
  "source:read": readersAndToken,
  "source:write": adminAndToken,
  "savedSearch:read": readersAndToken,
  "savedSearch:write": adminAndToken,
  "webhook:read": readersAndToken,
  "webhook:write": adminAndToken,
  "alert:read": readersAndToken,
  "alert:write": adminAndToken,
  "chart:query": adminOnly
}

const key = (...roles: ReadonlyArray<SystemRole>): KeyPrincipal => ({
  _tag: "KeyPrincipal",
  organizationId,
  keyId: apiKeyId,
  keyName: "ci",
  keySuffix: "5cNy",
  roles,
  hasCustomRoles: false,
  isSession: false
})
const token: TokenPrincipal = { _tag: "TokenPrincipal", organizationId, tokenId, grants: [] }

describe.each(Permission.literals.map((permission) => ({ permission })))("$permission", ({ permission }) => {
  it.each(SystemRole.literals.map((role) => ({ role, allowed: table[permission][role] })))(
    "$role: $allowed",
    ({ allowed, role }) => {
      assert.strictEqual(isPermitted([role], permission), allowed)
      assert.strictEqual(isAuthorized(key(role), permission), allowed)
    }
  )

  it(`without roles: ${table[permission].none}`, () => {
    for (const roles of [undefined, null, []])
      assert.strictEqual(isPermitted(roles, permission), table[permission].none)
    assert.strictEqual(isAuthorized(key(), permission), table[permission].none)
  })

  it("is granted when any of several roles grants it", () => {
    const { developer } = table[permission]
    assert.strictEqual(isPermitted(["query_endpoints", "developer"], permission), developer)
    assert.isTrue(isPermitted(["query_endpoints", "developer", "admin"], permission))
  })

  it("is one of every bearer token for the observability API only", () => {
    assert.strictEqual(isAuthorized(token, permission), table[permission].token)
  })

  it("is one of a token that has all grants if it is one of them", () => {
    const isGranted = isAuthorized({ ...token, grants: TokenGrant.literals }, permission)
    assert.strictEqual(isGranted, table[permission].token || permission === "chart:query")
  })
})

describe("permissionsOf", () => {
  const inTable = (column: SystemRole | "none" | "token") =>
    Permission.literals.filter((permission) => table[permission][column])

  it.each(SystemRole.literals.map((role) => ({ role })))("$role: those of the table", ({ role }) => {
    assert.deepStrictEqual(permissionsOf(key(role)), inTable(role))
  })

  it("a key without roles, and a token", () => {
    assert.deepStrictEqual(permissionsOf(key()), ["organization:read", "console:open"])
    assert.deepStrictEqual(permissionsOf(token), inTable("token"))
    assert.sameMembers([...permissionsOf({ ...token, grants: ["chart:query"] })], [...inTable("token"), "chart:query"])
  })

  it("a session of the console: those of its key without making another", () => {
    for (const role of SystemRole.literals) {
      const session = { ...key(role), isSession: true }
      assert.deepStrictEqual(
        permissionsOf(session),
        inTable(role).filter((permission) => permission !== "console:open")
      )
    }
  })
})
