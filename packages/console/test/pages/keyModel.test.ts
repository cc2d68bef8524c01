import { assert, describe, it } from "vitest"
import {
  emptyForm,
  endOfOverlap,
  issuesOf,
  longUnused,
  requestOf,
  roleNames,
  stateOf,
  successorOf,
  unusedFor
} from "../../src/pages/keys/keyModel.ts"

const now = Date.parse("2026-11-27T12:00:00Z")
const key = { id: "51b4936f-cc64-4b62-8949-22ade4e10488", name: "ci" }

describe("stateOf", () => {
  it.each([
    [{}, "Enabled"],
    [{ state: "enabled" as const, expireAt: "2026-11-27T12:00:01Z" }, "Enabled"],
    [{ state: "enabled" as const, expireAt: "2026-11-27T12:00:00Z" }, "Expired"],
    [{ state: "disabled" as const }, "Disabled"],
    [{ state: "disabled" as const, expireAt: "2026-11-27T11:00:00Z" }, "Expired"],
    [{ state: null, expireAt: null }, "Enabled"]
  ])("%j is %s", (fields, state) => {
    assert.strictEqual(stateOf({ ...key, ...fields }, now), state)
  })
})

describe("unusedFor", () => {
  it("counts from the last use, else from the creation, and never below zero", () => {
    const createdAt = "2026-11-27T10:00:00Z"
    assert.strictEqual(unusedFor({ ...key, createdAt, usedAt: "2026-11-27T11:59:00Z" }, now), 60_000)
    assert.strictEqual(unusedFor({ ...key, createdAt }, now), 7_200_000)
    assert.strictEqual(unusedFor({ ...key, usedAt: "2026-11-27T12:00:30Z" }, now), 0)
    assert.isUndefined(unusedFor(key, now))
  })

  it("calls 30 days long", () => {
    assert.strictEqual(longUnused, 2_592_000_000)
  })
})

describe("roleNames", () => {
  it("names all roles, custom ones too, else the system roles", () => {
    const custom = { roleId: "1", roleName: "auditor", roleType: "custom" as const }
    assert.deepStrictEqual(roleNames({ ...key, roles: ["admin"], assignedRoles: [custom] }), ["auditor"])
    assert.deepStrictEqual(roleNames({ ...key, roles: ["admin"], assignedRoles: [{ roleId: "1" }] }), ["admin"])
    assert.deepStrictEqual(roleNames({ ...key, roles: ["developer"] }), ["developer"])
    assert.deepStrictEqual(roleNames(key), [])
  })
})

describe("the form", () => {
  it.each([
    [{ name: "ci" }, []],
    [{ name: "  " }, ["name"]],
    [{ name: "ci", days: "0" }, ["days"]],
    [{ name: "ci", days: "1.5" }, ["days"]],
    [{ name: "ci", days: "x30" }, ["days"]],
    [{ name: "ci", days: "30x" }, ["days"]],
    [{ name: "ci", days: "" }, []],
    [{ name: "ci", days: " 30 " }, []],
    [{ name: "", days: "-1" }, ["name", "days"]]
  ])("%j has wrong fields %j", (fields, wrong) => {
    assert.deepStrictEqual(Object.keys(issuesOf({ ...emptyForm, ...fields })), wrong)
  })

  it("becomes a request without what is empty", () => {
    assert.deepStrictEqual(requestOf({ name: " ci ", role: "admin", days: " ", addresses: " \n" }, now), {
      name: "ci",
      roles: ["admin"]
    })
    assert.deepStrictEqual(
      requestOf({ name: "ci", role: "developer", days: "2", addresses: "192.0.2.0/24\n ::1, 198.51.100.7" }, now),
      {
        name: "ci",
        roles: ["developer"],
        expireAt: "2026-11-29T12:00:00.000Z",
        ipAccessList: [{ source: "192.0.2.0/24" }, { source: "::1" }, { source: "198.51.100.7" }]
      }
    )
  })

  it("begins with the role that changes nothing, and an end", () => {
    assert.deepStrictEqual(emptyForm, { name: "", role: "developer", days: "90", addresses: "" })
  })
})

describe("successorOf", () => {
  it("has the rights and the state of the key, and lives as long again", () => {
    const request = successorOf(
      {
        ...key,
        state: "enabled",
        roles: ["developer"],
        createdAt: "2026-11-01T00:00:00Z",
        expireAt: "2026-11-11T00:00:00Z",
        ipAccessList: [
          { source: "192.0.2.1", description: "office" },
          { source: "192.0.2.2", description: null }
        ]
      },
      now
    )
    assert.deepStrictEqual(request, {
      name: "ci",
      roles: ["developer"],
      state: "enabled",
      expireAt: "2026-12-07T12:00:00.000Z",
      ipAccessList: [{ source: "192.0.2.1", description: "office" }, { source: "192.0.2.2" }]
    })
  })

  it("keeps custom roles by their ids, a list that is empty, and no end", () => {
    const assignedRoles = [{ roleId: "701e0000-0000-4000-8000-000000000001" }, { roleName: "without id" }]
    assert.deepStrictEqual(successorOf({ ...key, roles: ["admin"], assignedRoles, ipAccessList: [] }, now), {
      name: "ci",
      assignedRoleIds: ["701e0000-0000-4000-8000-000000000001"],
      ipAccessList: []
    })
    assert.deepStrictEqual(successorOf({ ...key, expireAt: "2026-12-01T00:00:00Z" }, now), { name: "ci" })
  })
})

describe("endOfOverlap", () => {
  it("is after the overlap, but no later than the key would end", () => {
    assert.strictEqual(endOfOverlap(key, now, 24), "2026-11-28T12:00:00.000Z")
    assert.isUndefined(endOfOverlap({ ...key, expireAt: "2026-11-28T12:00:00Z" }, now, 24))
    assert.strictEqual(endOfOverlap({ ...key, expireAt: "2026-11-28T12:00:01Z" }, now, 24), "2026-11-28T12:00:00.000Z")
    assert.strictEqual(endOfOverlap({ ...key, expireAt: null }, now, 0), "2026-11-27T12:00:00.000Z")
  })
})
