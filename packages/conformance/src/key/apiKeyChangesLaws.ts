import { assert } from "@effect/vitest"
import {
  ApiKey,
  type ApiKeyAddress,
  ApiKeyId,
  ApiKeys,
  type ApiKeyUpdate,
  type OrganizationId,
  RoleId,
  systemRoleIds
} from "@headgate/core"
import { CallingKey } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { fixtureIds } from "../fixtures/ids.ts"
import { failsWith } from "../internal/failsWith.ts"
import { hashDataOf } from "../internal/requests.ts"

const { keys: keyIds, organizations } = fixtureIds
const { acme } = organizations

const addressOf = (keyId: ApiKeyId, organizationId: OrganizationId = acme): ApiKeyAddress => ({ organizationId, keyId })

const create = (name: string) =>
  ApiKeys.use((keys) => keys.create({ organizationId: acme }, { name, roles: ["admin"] }))
const get = (address: ApiKeyAddress) => ApiKeys.use((keys) => keys.get(address))
const update = (address: ApiKeyAddress, changes: ApiKeyUpdate) => ApiKeys.use((keys) => keys.update(address, changes))
const remove = (address: ApiKeyAddress) => ApiKeys.use((keys) => keys.delete(address))

const encodeKey = Schema.encodeEffect(ApiKey)
const onWire = (key: Effect.Effect<ApiKey, { readonly _tag: string; readonly message: string }, ApiKeys>) =>
  Effect.flatMap(key, encodeKey)

/** Every key of acme by its id, as on the wire. Over a network, the key that lists them is used meanwhile. */
const allOnWire = Effect.gen(function* () {
  const keys = yield* ApiKeys.use((each) => each.list({ organizationId: acme }))
  const documents = yield* Effect.forEach(keys, (key) => encodeKey(key))
  return Object.fromEntries(documents.map(({ usedAt: _usedAt, ...key }) => [key.id, key]))
})

const asVoid = <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> => Effect.asVoid(call)

const developer = addressOf(keyIds.developer)
const listed = addressOf(keyIds.listed)
const admin = addressOf(keyIds.admin)

const roleOf = (name: keyof typeof systemRoleIds) => ({
  roleId: systemRoleIds[name],
  roleName: name,
  roleType: "system"
})

/** Addresses at which acme has no key. */
const nowhere: ReadonlyArray<readonly [string, ApiKeyAddress]> = [
  ["an unknown id", addressOf(keyIds.unknown)],
  ["another organization's key", addressOf(keyIds.globex)],
  ["another organization", addressOf(keyIds.developer, organizations.globex)],
  ["an unknown organization", addressOf(keyIds.admin, organizations.unknown)]
]

const unknownRole = RoleId.make("0a0b0c0d-0000-4000-8000-00000000beef")

const wrong: ReadonlyArray<readonly [named: string, ApiKeyUpdate]> = [
  ["name", { name: "" }],
  ["name", { name: "x".repeat(256) }],
  ["ipAccessList[0].source", { ipAccessList: [{ source: "everywhere" }] }],
  ["expireAt", { expireAt: DateTime.makeUnsafe("2001-01-01T00:00:00Z") }],
  ["assignedRoleIds[1]", { assignedRoleIds: [systemRoleIds.admin, unknownRole] }],
  ["assignedRoleIds", { roles: ["admin"], assignedRoleIds: [systemRoleIds.developer] }],
  ["assignedRoleIds", { roles: [], assignedRoleIds: [systemRoleIds.developer] }],
  ["keySuffix", { keySuffix: "abcd" }],
  ["ipAcessList", { ipAcessList: [] }]
]

/** The laws of `ApiKeys` about keys that exist. `law` declares one over the fixture. */
export const apiKeyChangesLaws = (law: (title: string, body: Effect.Effect<void, unknown, ApiKeys>) => void): void => {
  law(
    "the list has every key of the organization and no other",
    Effect.gen(function* () {
      const keys = yield* ApiKeys.use((each) => each.list({ organizationId: acme }))
      assert.sameMembers(
        keys.map(({ name }) => name),
        ["admin", "developer", "disabled", "expired", "expiring", "listed", "closed", "noRoles"]
      )
    })
  )

  law(
    "a key is read as it was imported, with its assigned roles",
    Effect.gen(function* () {
      const { usedAt: _usedAt, ...key } = yield* onWire(get(admin))
      assert.deepStrictEqual<object>(key, {
        id: keyIds.admin,
        name: "admin",
        state: "enabled",
        roles: ["admin"],
        assignedRoles: [roleOf("admin")],
        keySuffix: "d001",
        createdAt: "2026-01-01T00:00:00Z"
      })
    })
  )

  law(
    "a created key is read and listed as it was returned",
    Effect.gen(function* () {
      const created = yield* encodeKey((yield* create("one")).key)
      assert.deepStrictEqual(yield* onWire(get(addressOf(ApiKeyId.make(created.id)))), created)
      assert.deepStrictEqual((yield* allOnWire)[created.id], created)
    })
  )

  law(
    "neither list nor get holds a credential or a hash of one",
    Effect.gen(function* () {
      const { key, keyId = "", keySecret = Redacted.make("") } = yield* create("ci")
      const text = JSON.stringify([yield* allOnWire, yield* onWire(get(addressOf(key.id)))])
      const { keyIdHash, keySecretHash } = yield* hashDataOf(keyId, Redacted.value(keySecret))
      for (const secret of [keyId, Redacted.value(keySecret), keyIdHash, keySecretHash]) {
        assert.isAbove(secret.length, 8)
        assert.notInclude(text, secret)
      }
    })
  )

  for (const [what, address] of nowhere) {
    law(
      `get, update and delete fail with KeyNotFound or Forbidden for ${what}, and change nothing`,
      Effect.gen(function* () {
        const before = yield* allOnWire
        for (const call of [get(address), update(address, { state: "disabled" }), remove(address)].map(asVoid)) {
          const error = yield* failsWith(call, "KeyNotFound", "Forbidden")
          if (address.organizationId === acme) assert.strictEqual(error._tag, "KeyNotFound")
          if (error._tag === "KeyNotFound") assert.strictEqual(error.keyId, address.keyId)
        }
        assert.deepStrictEqual(yield* allOnWire, before)
      })
    )
  }

  const changes: ReadonlyArray<readonly [string, ApiKeyUpdate, object]> = [
    ["the name", { name: "größe 🚰" }, { name: "größe 🚰" }],
    ["the state", { state: "disabled" }, { state: "disabled" }],
    [
      "the expiry",
      { expireAt: DateTime.makeUnsafe("2999-12-31T23:59:59.500Z") },
      { expireAt: "2999-12-31T23:59:59.500Z" }
    ],
    ["the whole access list", { ipAccessList: [{ source: "192.0.2.9" }] }, { ipAccessList: [{ source: "192.0.2.9" }] }],
    ["the access list to none", { ipAccessList: [] }, { ipAccessList: [] }],
    [
      "all roles by name",
      { roles: ["query_endpoints", "developer"] },
      { roles: ["query_endpoints", "developer"], assignedRoles: [roleOf("query_endpoints"), roleOf("developer")] }
    ],
    [
      "all roles by id, whatever its capitals",
      { assignedRoleIds: [RoleId.make(systemRoleIds.developer.toUpperCase())] },
      { roles: ["developer"], assignedRoles: [roleOf("developer")] }
    ],
    [
      "roles by name and by id that agree",
      { roles: ["developer", "admin"], assignedRoleIds: [systemRoleIds.admin, systemRoleIds.developer] },
      { roles: ["admin", "developer"], assignedRoles: [roleOf("admin"), roleOf("developer")] }
    ],
    [
      "roles by name, beside an empty list of ids",
      { roles: ["developer"], assignedRoleIds: [] },
      { roles: ["developer"], assignedRoles: [roleOf("developer")] }
    ],
    ["the roles to none", { roles: [] }, { roles: [], assignedRoles: [] }],
    ["the roles to none by id", { assignedRoleIds: [] }, { roles: [], assignedRoles: [] }],
    ["nothing", {}, {}]
  ]
  for (const [what, request, fields] of changes) {
    law(
      `an update changes ${what} and nothing else`,
      Effect.gen(function* () {
        const before = yield* allOnWire
        const changed = yield* onWire(update(listed, request))
        assert.deepStrictEqual<object>(changed, { ...before[keyIds.listed], ...fields })
        assert.deepStrictEqual(yield* onWire(get(listed)), changed)
        assert.deepStrictEqual(yield* allOnWire, { ...before, [keyIds.listed]: changed })
      })
    )
  }

  law(
    "expireAt null means that a key never expires, ipAccessList null that any address may use it",
    Effect.gen(function* () {
      const expiring = addressOf(keyIds.expiring)
      assert.notProperty(yield* onWire(update(expiring, { expireAt: null })), "expireAt")
      assert.notProperty(yield* onWire(get(expiring)), "expireAt")
      assert.notProperty(yield* onWire(update(listed, { ipAccessList: null })), "ipAccessList")
      assert.notProperty(yield* onWire(get(listed)), "ipAccessList")
    })
  )

  for (const [named, request] of wrong) {
    law(
      `an update with a bad ${named} (${Object.keys(request).join(", ")}) is an InvalidRequest that names it, and changes nothing`,
      Effect.gen(function* () {
        const before = yield* allOnWire
        const error = yield* failsWith(update(developer, request), "InvalidRequest")
        assert.include(error.message, `${named}: `)
        assert.deepStrictEqual(yield* allOnWire, before)
      })
    )
  }

  law(
    "a new key gets its roles by id as well, and an unknown id is an InvalidRequest that names it",
    Effect.gen(function* () {
      const { key } = yield* ApiKeys.use((keys) =>
        keys.create(
          { organizationId: acme },
          { name: "by id", roles: ["developer"], assignedRoleIds: [systemRoleIds.developer] }
        )
      )
      assert.deepStrictEqual([key.roles, key.assignedRoles], [["developer"], [roleOf("developer")]])
      const request = { name: "unknown", assignedRoleIds: [unknownRole] }
      const error = yield* failsWith(
        ApiKeys.use((keys) => keys.create({ organizationId: acme }, request)),
        "InvalidRequest"
      )
      assert.include(error.message, "assignedRoleIds[0]: ")
      const disagreeing = { name: "both", roles: ["admin"], assignedRoleIds: [systemRoleIds.developer] } as const
      assert.include(
        (yield* failsWith(
          ApiKeys.use((keys) => keys.create({ organizationId: acme }, disagreeing)),
          "InvalidRequest"
        )).message,
        "assignedRoleIds: "
      )
    })
  )

  law(
    "a deleted key is not found, and the others are unchanged",
    Effect.gen(function* () {
      const { [keyIds.developer]: _deleted, ...others } = yield* allOnWire
      yield* remove(developer)
      yield* failsWith(get(developer), "KeyNotFound")
      yield* failsWith(update(developer, { name: "gone" }), "KeyNotFound")
      yield* failsWith(remove(developer), "KeyNotFound")
      assert.deepStrictEqual(yield* allOnWire, others)
    })
  )

  law(
    "of many concurrent deletes, one succeeds",
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 10 }),
        () =>
          remove(developer).pipe(
            Effect.as("deleted"),
            Effect.catchTag("KeyNotFound", () => Effect.succeed("not found"))
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.toSorted(), ["deleted", ...Array.from({ length: 9 }, () => "not found")])
    })
  )

  law(
    "concurrent updates of different fields all take effect",
    Effect.gen(function* () {
      yield* Effect.all(
        [
          update(developer, { name: "renamed" }),
          update(developer, { state: "disabled" }),
          update(developer, { roles: ["query_endpoints"] }),
          update(developer, { ipAccessList: [] })
        ],
        { concurrency: "unbounded" }
      )
      const { ipAccessList, name, roles, state } = yield* get(developer)
      assert.deepStrictEqual([name, state, roles, ipAccessList], ["renamed", "disabled", ["query_endpoints"], []])
    })
  )

  law(
    "a key cannot disable or delete itself, or take the role admin from itself: each is a Conflict that changes nothing",
    Effect.gen(function* () {
      const before = yield* allOnWire
      const { developer: developerRole } = systemRoleIds
      for (const changes of [
        { state: "disabled" },
        { roles: ["developer"] },
        { assignedRoleIds: [developerRole] }
      ] as const) {
        yield* failsWith(update(admin, changes), "Conflict")
      }
      yield* failsWith(remove(admin), "Conflict")
      assert.deepStrictEqual(yield* allOnWire, before)
      const renamed = yield* update(admin, { name: "still admin", state: "enabled", roles: ["developer", "admin"] })
      assert.deepStrictEqual([renamed.name, renamed.roles], ["still admin", ["developer", "admin"]])
      // Over a network, the fixture's admin key makes all calls.
    }).pipe(Effect.provideService(CallingKey, keyIds.admin))
  )
}
