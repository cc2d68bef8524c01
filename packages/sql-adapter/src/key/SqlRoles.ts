import { ApiKey, OrganizationId, Role, type RoleAddress, type RoleId, Roles, versionOf } from "@headgate/core"
import { checkVersion, keyRules, notFound, roleRules, systemRoles, withVersion } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeCheckBytes } from "../internal/checkLimits.ts"
import { makeCreateWithinLimits } from "../internal/createWithinLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"

const encodeRole = Schema.encodeEffect(Schema.fromJsonString(Role))
const decodeRoles = Schema.decodeEffect(
  Schema.Array(Schema.Struct({ document: Schema.fromJsonString(Role), version: Schema.Int }))
)
const decodeKeys = Schema.decodeEffect(Schema.Array(Schema.Struct({ document: Schema.fromJsonString(ApiKey) })))

/** Inserts a custom role unless its id is taken. Returns whether it inserted the role. */
export const makeInsertRole = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (organizationId: OrganizationId, role: Role) {
    const inserted = yield* sql`
      INSERT INTO custom_role (id, organization_id, document)
      VALUES (${role.id}, ${organizationId}, ${yield* encodeRole(role)})
      ON CONFLICT (id) DO NOTHING
      RETURNING id`
    return inserted.length > 0
  })

/** Reads the custom roles of an organization. SQLite needs no locks: its transactions that write exclude each other. */
export const makeCustomRoles = (sql: SqlClient.SqlClient) => {
  const none = sql.literal("")
  const lock = (mode: "SHARE" | "UPDATE") =>
    sql.onDialectOrElse({ pg: () => sql.literal(`FOR ${mode}`), orElse: () => none })

  const select = Effect.fnUntraced(function* (organizationId: OrganizationId, clauses: Fragment) {
    const rows = yield* sql<{ readonly document: string; readonly version: number }>`
      SELECT document, version FROM custom_role WHERE organization_id = ${organizationId} ${clauses}`
    return (yield* decodeRoles(rows)).map(({ document, version }) => withVersion(document, version))
  })

  const withIds =
    (locking: Fragment) =>
    (organizationId: OrganizationId, ids: ReadonlyArray<RoleId>): ReturnType<typeof select> =>
      ids.length === 0
        ? Effect.succeed([])
        : select(organizationId, sql`AND id IN ${sql.in(Array.from(new Set(ids)).toSorted())} ORDER BY id ${locking}`)

  return {
    /** All of them, newest last. */
    all: (organizationId: OrganizationId) => select(organizationId, sql`ORDER BY seq`),
    /** Those with these ids. */
    withIds: withIds(none),
    /** Those with these ids. No other transaction deletes one until this one ends. */
    lockedForUse: withIds(lock("SHARE")),
    /** Those with these ids. No other transaction uses one until this one ends. */
    lockedForChange: withIds(lock("UPDATE"))
  }
}

const layer: Layer.Layer<Roles, never, SqlClient.SqlClient | SecureRandom.SecureRandom> = Layer.effect(
  Roles,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom
    const insertRole = makeInsertRole(sql)
    const createWithinLimits = makeCreateWithinLimits(sql)
    const checkBytes = makeCheckBytes(sql)
    const customRoles = makeCustomRoles(sql)

    const find = Effect.fnUntraced(function* (
      { organizationId, roleId }: RoleAddress,
      read: typeof customRoles.withIds = customRoles.lockedForChange
    ) {
      const [role] = yield* read(organizationId, [roleId])
      return role ?? (yield* notFound("RoleNotFound", { organizationId, roleId }))
    })

    /** How many keys have the role. */
    const countUsers = Effect.fnUntraced(function* ({ organizationId, roleId }: RoleAddress) {
      const rows = yield* sql<{ readonly document: string }>`
        SELECT document FROM api_key
        WHERE organization_id = ${organizationId} AND document LIKE ${`%${roleId}%`}`
      return (yield* decodeKeys(rows)).filter(({ document }) => keyRules.customRolesOf(document).includes(roleId))
        .length
    })

    return Roles.of({
      list: Effect.fn("SqlRoles.list")(function* ({ organizationId }) {
        return [...systemRoles, ...(yield* customRoles.all(organizationId))]
      }, orServerError),
      get: Effect.fn("SqlRoles.get")(function* (address) {
        return roleRules.system(address.roleId) ?? (yield* find(address, customRoles.withIds))
      }, orServerError),
      create: Effect.fn("SqlRoles.create")(
        function* ({ organizationId }, request) {
          const role = yield* roleRules.make(organizationId, request)
          yield* createWithinLimits("roles", organizationId, insertRole(organizationId, role))
          return role
        },
        Effect.provideService(SecureRandom.SecureRandom, random),
        orServerError
      ),
      update: Effect.fn("SqlRoles.update")(
        function* (address, request) {
          const { organizationId, roleId } = address
          const change = yield* roleRules.prepareUpdate(organizationId, roleId, request)
          const write = Effect.gen(function* () {
            const held = yield* find(address)
            const role = yield* change(held)
            const document = yield* encodeRole(role)
            yield* sql`
              UPDATE custom_role SET document = ${document}, version = ${versionOf(role) ?? 1} WHERE id = ${roleId}`
            if (document.length > (yield* encodeRole(held)).length) yield* checkBytes(organizationId)
            return role
          })
          return yield* writeTransaction(sql)(write)
        },
        Effect.provideService(SecureRandom.SecureRandom, random),
        orServerError
      ),
      delete: Effect.fn("SqlRoles.delete")(function* (address) {
        yield* roleRules.refuseSystem(address.roleId)
        const write = Effect.gen(function* () {
          yield* checkVersion(versionOf(yield* find(address)) ?? 1)
          const users = yield* countUsers(address)
          if (users > 0) return yield* roleRules.inUse(users)
          yield* sql`DELETE FROM custom_role WHERE id = ${address.roleId}`
        })
        yield* writeTransaction(sql)(write)
      }, orServerError)
    })
  })
)

/** The `Roles` port over SQL. After an outage it is unknown whether a change took effect. */
export const SqlRoles = { layer }
