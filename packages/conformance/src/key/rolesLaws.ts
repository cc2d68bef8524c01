import { assert, describe, it } from "@effect/vitest"
import {
  ApiKeys,
  type OrganizationId,
  RoleId,
  type RoleAddress,
  type RoleCreate,
  Roles,
  type RoleUpdate,
  systemRoleIds,
  versionOf
} from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

const { organizations } = fixtureIds
const { acme } = organizations

const auditor: RoleCreate = {
  name: "auditor",
  actors: ["user/6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"],
  policies: [
    {
      allowDeny: "ALLOW",
      permissions: ["control-plane:organization:view"],
      resources: ["instance/*"],
      tags: { grants: ["default"], roleV2: "sql-console-readonly" }
    },
    { allowDeny: "DENY", permissions: [], resources: [] }
  ]
}

const list = Roles.use((roles) => roles.list({ organizationId: acme }))
const get = (address: RoleAddress) => Roles.use((roles) => roles.get(address))
const create = (request: RoleCreate = auditor) => Roles.use((roles) => roles.create({ organizationId: acme }, request))
const update = (address: RoleAddress, changes: RoleUpdate) => Roles.use((roles) => roles.update(address, changes))
const remove = (address: RoleAddress) => Roles.use((roles) => roles.delete(address))

const addressOf = (roleId: RoleId, organizationId: OrganizationId = acme): RoleAddress => ({ organizationId, roleId })

/** A new key that has these roles. */
const keyWith = (...assignedRoleIds: ReadonlyArray<RoleId>) =>
  Effect.map(
    ApiKeys.use((keys) => keys.create({ organizationId: acme }, { name: "ci", assignedRoleIds })),
    ({ key }) => ({ organizationId: acme, keyId: key.id })
  )

const assignedRoles = (address: Parameters<ApiKeys["Service"]["get"]>[0]) =>
  Effect.map(
    ApiKeys.use((keys) => keys.get(address)),
    (key) => key.assignedRoles?.map(({ roleId, roleName, roleType }) => [roleId, roleName, roleType])
  )

/**
 * The laws of the `Roles` port, and of the custom roles of keys. They need only these ports, so they also run over an adapter
 * for a network.
 */
export const rolesLaws = ({ layer, name }: LawsOptions<ApiKeys | Roles>): void => {
  // On the real clock, because the adapter may call another process.
  const law = (title: string, body: Effect.Effect<void, unknown, ApiKeys | Roles>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (held) => Effect.provide(body, layer(held, acme))))

  describe(`${name}: laws of Roles`, () => {
    law(
      "every organization has the three system roles, with fixed ids",
      Effect.gen(function* () {
        const roles = yield* list
        assert.deepStrictEqual(
          roles.map(({ id, name, type }) => [id, name, type]),
          Object.entries(systemRoleIds).map(([name, id]) => [id, name, "system"])
        )
        for (const role of roles) assert.deepStrictEqual(yield* get(addressOf(role.id)), role)
      })
    )

    law(
      "a created role is returned, listed and read with all that was sent",
      Effect.gen(function* () {
        const role = yield* create()
        assert.strictEqual(role.type, "custom")
        assert.deepStrictEqual([role.name, role.actors], [auditor.name, auditor.actors])
        assert.deepStrictEqual(
          asJson(role.policies?.map(({ id: _id, roleId: _roleId, tenantId: _tenantId, ...policy }) => policy)),
          asJson(auditor.policies)
        )
        assert.deepStrictEqual(asJson(yield* get(addressOf(role.id))), asJson(role))
        assert.deepStrictEqual(asJson((yield* list).filter(({ type }) => type === "custom")), asJson([role]))
      })
    )

    law(
      "an update replaces what it names and keeps the rest",
      Effect.gen(function* () {
        const role = yield* create()
        const address = addressOf(role.id)
        const renamed = yield* update(address, { name: "reader" })
        assert.deepStrictEqual(
          asJson({ ...renamed, updatedAt: null }),
          asJson({ ...role, name: "reader", updatedAt: null })
        )
        const emptied = yield* update(address, { actors: [], policies: [] })
        assert.deepStrictEqual([emptied.name, emptied.actors, emptied.policies], ["reader", [], []])
        assert.deepStrictEqual(asJson(yield* get(address)), asJson(emptied))
      })
    )

    law(
      "an update without changes keeps the role, its version and the time of its last change",
      Effect.gen(function* () {
        const role = yield* create()
        const same = yield* update(addressOf(role.id), {})
        assert.deepStrictEqual([asJson(same), versionOf(same)], [asJson(role), 1])
      })
    )

    law(
      "a system role has a version",
      Effect.gen(function* () {
        assert.strictEqual(versionOf(yield* get(addressOf(systemRoleIds.admin))), 1)
      })
    )

    const wrong: ReadonlyArray<readonly [named: string, RoleUpdate]> = [
      ["name", { name: "" }],
      ["name", { name: "x".repeat(256) }],
      ["actors", { actors: Array.from({ length: 501 }, () => "user/1") }],
      ["policies", { policies: Array.from({ length: 101 }, () => auditor.policies[1]!) }],
      ["polices", { polices: [] }]
    ]
    for (const [named, bad] of wrong) {
      law(
        `a bad ${named} is an InvalidRequest that names it, in a new role and in an update`,
        Effect.gen(function* () {
          const before = yield* create()
          for (const call of [create({ ...auditor, ...bad }), update(addressOf(before.id), bad)]) {
            assert.include((yield* failsWith(call, "InvalidRequest")).message, `${named}: `)
          }
          assert.deepStrictEqual(asJson(yield* get(addressOf(before.id))), asJson(before))
          assert.lengthOf(yield* list, 4)
        })
      )
    }

    law(
      "a deleted role is not found, and the others are unchanged",
      Effect.gen(function* () {
        const gone = yield* create()
        const kept = yield* create({ ...auditor, name: "kept" })
        yield* remove(addressOf(gone.id))
        yield* failsWith(get(addressOf(gone.id)), "RoleNotFound")
        yield* failsWith(update(addressOf(gone.id), { name: "x" }), "RoleNotFound")
        yield* failsWith(remove(addressOf(gone.id)), "RoleNotFound")
        assert.deepStrictEqual(asJson((yield* list).slice(3)), asJson([kept]))
      })
    )

    for (const [what, organizationId] of [
      ["another organization", organizations.globex],
      ["an unknown organization", organizations.unknown]
    ] as const) {
      law(
        `a role of ${what} is RoleNotFound or Forbidden`,
        Effect.gen(function* () {
          const { id } = yield* create()
          const address = addressOf(id, organizationId)
          for (const call of [get(address), update(address, { name: "x" }), remove(address)]) {
            yield* failsWith(Effect.asVoid(call), "RoleNotFound", "Forbidden")
          }
          assert.strictEqual((yield* get(addressOf(id))).name, auditor.name)
        })
      )
    }

    law(
      "a system role cannot be changed or deleted",
      Effect.gen(function* () {
        for (const id of Object.values(systemRoleIds)) {
          yield* failsWith(update(addressOf(id), { name: "x" }), "Conflict")
          yield* failsWith(remove(addressOf(id)), "Conflict")
        }
        assert.lengthOf(yield* list, 3)
      })
    )

    law(
      "a key has custom roles beside system roles, in the order of the request, with the names that they have now",
      Effect.gen(function* () {
        const { id } = yield* create()
        const key = yield* keyWith(id, systemRoleIds.developer)
        assert.deepStrictEqual(yield* assignedRoles(key), [
          [id, "auditor", "custom"],
          [systemRoleIds.developer, "developer", "system"]
        ])
        yield* update(addressOf(id), { name: "renamed" })
        assert.deepStrictEqual((yield* assignedRoles(key))?.[0], [id, "renamed", "custom"])
        const listed = (yield* ApiKeys.use((keys) => keys.list({ organizationId: acme }))).find(
          (each) => each.id === key.keyId
        )
        assert.strictEqual(listed?.assignedRoles?.[0]?.roleName, "renamed")
        const changed = yield* ApiKeys.use((keys) => keys.update(key, { name: "changed" }))
        assert.deepStrictEqual(
          [changed.roles, changed.assignedRoles?.map(({ roleName }) => roleName)],
          [["developer"], ["renamed", "developer"]]
        )
      })
    )

    law(
      "a role cannot be deleted while a key has it",
      Effect.gen(function* () {
        const { id } = yield* create()
        const key = yield* keyWith(id)
        yield* failsWith(remove(addressOf(id)), "Conflict")
        yield* ApiKeys.use((keys) => keys.update(key, { assignedRoleIds: [systemRoleIds.developer] }))
        yield* remove(addressOf(id))
      })
    )

    law(
      "of a deletion of a role and keys that get it at the same time, never both succeed",
      Effect.gen(function* () {
        const { id } = yield* create()
        const key = yield* keyWith()
        const assign = ApiKeys.use((keys) => keys.update(key, { assignedRoleIds: [id] }))
        const [assigned, deleted, created] = yield* Effect.all(
          [Effect.exit(assign), Effect.exit(remove(addressOf(id))), Effect.exit(keyWith(id))],
          { concurrency: "unbounded" }
        )
        assert.isFalse(Exit.isSuccess(deleted) && (Exit.isSuccess(assigned) || Exit.isSuccess(created)))
        const roleIds = (yield* list).map((role) => role.id)
        for (const each of yield* ApiKeys.use((keys) => keys.list({ organizationId: acme }))) {
          for (const { roleId } of each.assignedRoles ?? []) assert.include(roleIds, roleId)
        }
      })
    )

    law(
      "another organization's role is unknown to a key",
      Effect.gen(function* () {
        const unknown = RoleId.make("0a0b0c0d-0000-4000-8000-00000000beef")
        const error = yield* failsWith(keyWith(unknown), "InvalidRequest")
        assert.include(error.message, "assignedRoleIds[0]: ")
      })
    )
  })
}
