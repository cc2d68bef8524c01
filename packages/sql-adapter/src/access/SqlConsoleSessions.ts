import type { OrganizationId } from "@headgate/core"
import { type ConsoleKind, consoleRules, ConsoleSessions, ConsoleSignIn, hashCredential } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { CreationTransaction } from "../internal/creationTransaction.ts"
import { dieOnOutage, orServerError } from "../internal/outage.ts"
import { makeRequireOrganization } from "../internal/requireOrganization.ts"
import { writeStatement, writeTransaction } from "../internal/transaction.ts"
import { makeDeleteConsole, makeFindConsole, makeInsertConsole, makeLockKey } from "../key/consoleRows.ts"

/** A code is looked up once or twice, so few rows are worth keeping. */
const maxCachedCodes = 10

const layer: Layer.Layer<ConsoleSessions | ConsoleSignIn, never, SqlClient.SqlClient | Digest | SecureRandom> =
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const crypto = Context.make(Digest, yield* Digest).pipe(Context.add(SecureRandom, yield* SecureRandom))
      const requireOrganization = makeRequireOrganization(sql)
      const lockKey = makeLockKey(sql)
      const insert = { session: makeInsertConsole(sql, "session"), code: makeInsertConsole(sql, "code") }
      const findCode = makeFindConsole(sql, "code", maxCachedCodes)
      const useCode = makeDeleteConsole(sql, "code")
      const deleteSession = makeDeleteConsole(sql, "session")

      /** Makes a session or a code of the calling key, and stores it. Each key waits for itself, so that its limits are exact. */
      const create = Effect.fnUntraced(function* (kind: ConsoleKind, organizationId: OrganizationId) {
        const keyId = yield* consoleRules.callingKey
        const made = yield* consoleRules.make(kind, keyId)
        const write = Effect.gen(function* () {
          yield* requireOrganization(organizationId)
          const key = yield* consoleRules.requireKey(yield* lockKey(keyId), organizationId)
          yield* insert[kind](made.record)
          return { made, key }
        })
        return yield* Effect.flatMap(CreationTransaction, (run = writeTransaction(sql)) => run(write))
      }, Effect.provideContext(crypto))

      const exchange = Effect.fnUntraced(function* (code: Redacted.Redacted, remoteAddress: string | undefined) {
        const hash = yield* hashCredential(Redacted.value(code))
        // A caller that guesses a code makes no transaction that writes.
        const held = yield* findCode(hash)
        const { key } = yield* consoleRules.requireCode(held, remoteAddress)
        const made = yield* consoleRules.make("session", key.id)
        const write = Effect.gen(function* () {
          const locked = yield* lockKey(key.id)
          const now = held === undefined || locked === undefined ? undefined : { ...held, key: locked }
          const record = yield* consoleRules.requireCode(now, remoteAddress)
          // Of two that use the code at once, one deletes it, and to the other it is unknown.
          if (!(yield* useCode(hash))) return yield* consoleRules.requireCode(undefined, remoteAddress)
          yield* insert.session(made.record)
          return record
        })
        return consoleRules.sessionOf(made, yield* writeTransaction(sql)(write))
      }, Effect.provideContext(crypto))

      return Context.make(ConsoleSessions, {
        createSession: Effect.fn("SqlConsoleSessions.createSession")(function* ({ organizationId }) {
          const { key, made } = yield* create("session", organizationId)
          return consoleRules.sessionOf(made, key)
        }, orServerError),
        createCode: Effect.fn("SqlConsoleSessions.createCode")(function* ({ organizationId }) {
          const { made } = yield* create("code", organizationId)
          return consoleRules.codeOf(made)
        }, orServerError)
      }).pipe(
        Context.add(ConsoleSignIn, {
          exchange: Effect.fn("SqlConsoleSignIn.exchange")(exchange, dieOnOutage),
          signOut: Effect.fn("SqlConsoleSignIn.signOut")(
            function* (token) {
              const hash = yield* hashCredential(Redacted.value(token))
              yield* writeStatement(sql)(deleteSession(hash))
            },
            dieOnOutage,
            Effect.provideContext(crypto)
          )
        })
      )
    })
  )

/** The ports `ConsoleSessions` and `ConsoleSignIn` over SQL. */
export const SqlConsoleSessions = { layer }
