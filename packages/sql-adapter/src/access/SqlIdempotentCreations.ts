import {
  CreationAnswer,
  IdempotentCreations,
  idempotencyHashes,
  type IdempotentRequest,
  KeyInFlight,
  KeyReused,
  Sealing
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Digest } from "effect/crypto/Digest"
import * as SqlClient from "effect/sql/SqlClient"
import { commitTogether, CreationTransaction, rolledBack } from "../internal/creationTransaction.ts"
import { orServerError } from "../internal/outage.ts"

const { maxAnswers, maxBytes, retention } = IdempotentCreations

const isRefusal = Schema.is(Schema.Union([KeyInFlight, KeyReused]))

const answerJson = Schema.fromJsonString(CreationAnswer)
const decodeAnswer = Schema.decodeEffect(answerJson)
const encodeAnswer = Schema.encodeEffect(answerJson)

/** What the sealed answer of a row belongs to. */
const contextOf = (id: string): string => `idempotent_creation/${id}/answer`

/** Seals every kept answer with another key. One that does not open is removed: a repeat of its request creates again. */
export const resealAnswers = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  from: Sealing["Service"],
  seal: Sealing["Service"]["seal"]
) {
  const rows = yield* sql<{ readonly id: string }>`SELECT id FROM idempotent_creation`
  for (const { id } of rows) {
    const [row] = yield* sql<{ readonly answer: string }>`SELECT answer FROM idempotent_creation WHERE id = ${id}`
    const text = Option.getOrUndefined(yield* from.open(row?.answer ?? "", contextOf(id)))
    if (text === undefined) yield* sql`DELETE FROM idempotent_creation WHERE id = ${id}`
    else {
      const answer = yield* seal(text, contextOf(id))
      yield* sql`UPDATE idempotent_creation SET answer = ${answer} WHERE id = ${id}`
    }
  }
})

const layer: Layer.Layer<IdempotentCreations, never, SqlClient.SqlClient | Sealing | Digest> = Layer.effect(
  IdempotentCreations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sealing = yield* Sealing
    const crypto = yield* Effect.context<Digest>()
    const inFlight = new Set<string>()

    // Held until the transaction ends. In SQLite one process writes at a time.
    const lock = (id: string) =>
      sql.onDialectOrElse({
        pg: () => sql<{ readonly mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${id}, 0)) AS mine`,
        orElse: () => Effect.succeed([{ mine: true }])
      })
    const skipLocked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE SKIP LOCKED`, orElse: () => sql`` })

    const read = Effect.fnUntraced(function* (id: string, bodyHash: string) {
      const [row] = yield* sql<{ readonly bodyHash: string; readonly answer: string }>`
        SELECT body_hash AS "bodyHash", answer FROM idempotent_creation
        WHERE id = ${id} AND expires_at > ${yield* Clock.currentTimeMillis}`
      if (row === undefined) return undefined
      if (row.bodyHash !== bodyHash) return yield* new KeyReused()
      const text = Option.getOrUndefined(yield* sealing.open(row.answer, contextOf(id)))
      if (text === undefined)
        return yield* Effect.die("a kept answer does not open: the database was changed from outside")
      return yield* decodeAnswer(text)
    })

    const keep = Effect.fnUntraced(function* (
      { organizationId }: IdempotentRequest,
      id: string,
      bodyHash: string,
      answer: CreationAnswer
    ) {
      const now = yield* Clock.currentTimeMillis
      const sealed = yield* sealing.seal(yield* encodeAnswer(answer), contextOf(id))
      // Running sums, so that the limits cost no count. The casts are for Postgres, whose driver reads BIGINT as text.
      const [last] = yield* sql<{ readonly number: number; readonly bytes: number }>`
        SELECT CAST(number AS DOUBLE PRECISION) AS number, CAST(bytes AS DOUBLE PRECISION) AS bytes
        FROM idempotent_creation WHERE organization_id = ${organizationId} ORDER BY number DESC LIMIT 1`
      const number = (last?.number ?? 0) + 1
      const bytes = (last?.bytes ?? 0) + sealed.length
      yield* sql`
        DELETE FROM idempotent_creation WHERE id IN (
          SELECT id FROM idempotent_creation
          WHERE expires_at <= ${now}
            OR (organization_id = ${organizationId} AND number <= ${number - maxAnswers})
            OR (organization_id = ${organizationId} AND bytes <= ${bytes - maxBytes})
          ${skipLocked}
        )`
      yield* sql`
        INSERT INTO idempotent_creation (id, organization_id, number, bytes, body_hash, answer, expires_at)
        VALUES (${id}, ${organizationId}, ${number}, ${bytes}, ${bodyHash}, ${sealed}, ${now + retention * 1000})
        ON CONFLICT (id) DO UPDATE SET number = excluded.number, bytes = excluded.bytes,
          body_hash = excluded.body_hash, answer = excluded.answer, expires_at = excluded.expires_at`
    })

    return IdempotentCreations.of({
      validateOnly: (create) => Effect.asVoid(Effect.provideService(create, CreationTransaction, rolledBack(sql))),
      once: Effect.fnUntraced(function* (request, create) {
        const { bodyHash, id } = yield* Effect.provideContext(idempotencyHashes(request), crypto)
        const kept = yield* orServerError(read(id, bodyHash))
        if (kept !== undefined) return kept
        // Another server may have created the same meanwhile: its answer is there when the request is repeated.
        const claim = Effect.gen(function* () {
          const [locked] = yield* lock(id)
          if (locked?.mine !== true || (yield* read(id, bodyHash)) !== undefined) return yield* new KeyInFlight()
        })
        const created = orServerError(
          commitTogether(sql, create, claim, (answer) => keep(request, id, bodyHash, answer))
        ).pipe(Effect.catchDefect((defect) => (isRefusal(defect) ? Effect.fail(defect) : Effect.die(defect))))
        // A creation that was in flight at the first look may have ended before this one begins.
        const createdOnce = Effect.gen(function* () {
          return (yield* orServerError(read(id, bodyHash))) ?? (yield* created)
        })
        return yield* Effect.acquireUseRelease(
          Effect.suspend(() => (inFlight.has(id) ? new KeyInFlight() : Effect.sync(() => inFlight.add(id)))),
          () => createdOnce,
          () => Effect.sync(() => inFlight.delete(id))
        )
      })
    })
  })
)

/** The `IdempotentCreations` port over SQL. Answers are stored sealed. */
export const SqlIdempotentCreations = { layer }
