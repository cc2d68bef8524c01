import {
  type ApiKey,
  type ApiKeyAddress,
  type ApiKeyCreate,
  ApiKeys,
  type ApiKeyUpdate,
  type OrganizationId,
  type Role,
  versionOf
} from "@headgate/core"
import {
  type ApiKeyRecord,
  checkVersion,
  consoleRules,
  invalidRequest,
  keyRules,
  notFound,
  withVersion
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeEndConsole } from "./consoleRows.ts"
import { makeCheckBytes } from "../internal/checkLimits.ts"
import { makeCreateWithinLimits } from "../internal/createWithinLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"
import { encodeKey, keyColumns, KeyRow, makeInsertKey, toKeyRecord } from "./KeyRow.ts"
import { makeCustomRoles } from "./SqlRoles.ts"

const decodeRows = Schema.decodeEffect(Schema.Array(KeyRow))

/** A stored key as it is answered, with its version. */
const answered = (key: ApiKey, roles: ReadonlyArray<Role>): ApiKey =>
  withVersion(keyRules.withRoleNames(key, roles), versionOf(key) ?? 1)

const layer: Layer.Layer<ApiKeys, never, SqlClient.SqlClient | Digest.Digest | SecureRandom.SecureRandom> =
  Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const insertKey = makeInsertKey(sql)
      const createWithinLimits = makeCreateWithinLimits(sql)
      const checkBytes = makeCheckBytes(sql)
      const customRoles = makeCustomRoles(sql)
      const endConsole = makeEndConsole(sql)
      const none = sql.literal("")
      const lock = sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE"), orElse: () => none })

      /** The organization's keys as they are stored, each with its version. `clauses` end the statement. */
      const select = Effect.fnUntraced(function* (organizationId: OrganizationId, clauses: Fragment) {
        const rows = yield* sql<typeof KeyRow.Encoded>`
          SELECT ${keyColumns(sql)} FROM api_key WHERE organization_id = ${organizationId} ${clauses}`
        return (yield* decodeRows(rows)).map((row) => withVersion(toKeyRecord(row).key, row.version))
      })

      const find = Effect.fnUntraced(function* ({ keyId, organizationId }: ApiKeyAddress, locking: Fragment) {
        const [key] = yield* select(organizationId, sql`AND id = ${keyId} ${locking}`)
        return key ?? (yield* notFound("KeyNotFound", { organizationId, keyId }))
      })

      /** The names that the custom roles of these keys have now. */
      const namesFor = (organizationId: OrganizationId, ...keys: ReadonlyArray<ApiKey>) =>
        customRoles.withIds(organizationId, keys.flatMap(keyRules.customRolesOf))

      /** Fails if a role of a new key was deleted after it was read. */
      const insertWithRoles = Effect.fnUntraced(function* (record: ApiKeyRecord, request: ApiKeyCreate) {
        const { key, organizationId } = record
        const issues = keyRules.roleIssues(
          request,
          yield* customRoles.lockedForUse(organizationId, keyRules.customRolesOf(key))
        )
        if (issues.length > 0) return yield* invalidRequest(issues)
        if (!(yield* insertKey(record))) return yield* keyRules.duplicateId()
      })

      const change = Effect.fnUntraced(function* (address: ApiKeyAddress, changes: ApiKeyUpdate) {
        const roles = yield* customRoles.lockedForUse(address.organizationId, keyRules.customRoleIds(changes))
        const key = yield* find(address, lock)
        const changed = yield* keyRules.change(key, changes, roles)
        const document = yield* encodeKey(changed)
        yield* sql`
          UPDATE api_key
          SET state = ${changed.state ?? "enabled"}, document = ${document}, version = ${versionOf(changed) ?? 1}
          WHERE id = ${address.keyId}`
        if (consoleRules.areEnded(key, changed, yield* Clock.currentTimeMillis)) yield* endConsole(address.keyId)
        // A key can be disabled in an organization that an import has filled.
        if (document.length > (yield* encodeKey(key)).length) yield* checkBytes(address.organizationId)
        return changed
      })

      return ApiKeys.of({
        list: Effect.fn("SqlApiKeys.list")(function* ({ organizationId }) {
          const keys = yield* select(organizationId, sql`ORDER BY seq`)
          const roles = yield* namesFor(organizationId, ...keys)
          return keys.map((key) => answered(key, roles))
        }, orServerError),
        get: Effect.fn("SqlApiKeys.get")(function* (address) {
          const key = yield* find(address, none)
          return answered(key, yield* namesFor(address.organizationId, key))
        }, orServerError),
        create: Effect.fnUntraced(function* ({ organizationId }, request) {
          const namesRoles = (request.assignedRoleIds ?? []).length > 0
          const roles = namesRoles ? yield* customRoles.all(organizationId) : []
          const { created, record } = yield* keyRules
            .make(organizationId, request, roles)
            .pipe(
              Effect.provideService(Digest.Digest, digest),
              Effect.provideService(SecureRandom.SecureRandom, random)
            )
          yield* createWithinLimits("keys", organizationId, insertWithRoles(record, request))
          return created
        }, orServerError),
        update: Effect.fn("SqlApiKeys.update")(function* (address, request) {
          const changes = yield* keyRules.validateUpdate(request)
          const key = yield* writeTransaction(sql)(change(address, changes))
          return answered(key, yield* namesFor(address.organizationId, key))
        }, orServerError),
        delete: Effect.fn("SqlApiKeys.delete")(function* (address) {
          yield* keyRules.refuseOwnDeletion(address.keyId)
          const write = Effect.gen(function* () {
            const key = yield* find(address, lock)
            yield* checkVersion(versionOf(key) ?? 1)
            yield* sql`DELETE FROM api_key WHERE id = ${address.keyId}`
          })
          yield* writeTransaction(sql)(write)
        }, orServerError)
      })
    })
  )

/** The `ApiKeys` port over SQL. After an outage it is unknown whether a change took effect. */
export const SqlApiKeys = { layer }
