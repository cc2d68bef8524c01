import { PipeId } from "@headgate/core"
import { Leases, leaseTime as defaultLeaseTime, type MoverSession, SessionExpired } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSame, type KnownSession, makeDivide, nothing, sumOf } from "./divideSession.ts"
import { makeSavedMetrics } from "./savedMetrics.ts"
import { makeSessionStatements, orLedgerError, type SaidLoad } from "./sessionStatements.ts"

const expired = new SessionExpired({ message: "the session was not renewed in time: other movers may have its pipes" })

/** A session is renewed when so much of its time has passed. So a mover that asks often writes seldom. */
const renewedAfter = 0.4

/** The pipes of a session are read so often, in milliseconds: a restored database or an import may have changed them. */
const rereadAfter = 30_000

const make = Effect.fnUntraced(function* (leaseTime: Duration.Duration) {
  const sql = yield* SqlClient.SqlClient
  const lasting = Duration.toMillis(leaseTime)
  const statements = makeSessionStatements(sql, lasting)
  const divide = makeDivide(statements)
  const known = new Map<string, KnownSession>()

  const expire = Effect.fnUntraced(function* (id: string) {
    known.delete(id)
    return yield* expired
  })

  /** The session, which is stored if it is new, and the sessions there are. */
  const open = Effect.fnUntraced(function* (session: MoverSession) {
    const { id } = session
    let state = known.get(id)
    if (state === undefined) {
      if (!(yield* statements.begin(session))) return yield* expire(id)
      state = { mine: new Map(), readAt: 0, said: nothing, seen: "", looksAt: 0 }
      known.set(id, state)
    }
    const rows = yield* statements.sessions
    const own = rows.find((row) => row.id === id)
    const now = own?.now ?? (yield* Clock.currentTimeMillis)
    if (own === undefined || own.expiresAt <= now) return yield* expire(id)
    if (state.readAt === 0) state.readAt = now
    return { state, rows, now, isDue: own.expiresAt - now < lasting * (1 - renewedAfter) }
  })

  const renew = Effect.fnUntraced(function* (session: MoverSession, state: KnownSession, said: SaidLoad) {
    if (!(yield* statements.renew(session, said))) return yield* expire(session.id)
    state.said = said
  })

  const share: Leases["Service"]["share"] = Effect.fn("SqlLeases.share")(function* (
    session,
    wanted,
    weights = new Map()
  ) {
    const { id } = session
    const divided = Effect.fnUntraced(function* ({ isDue, now, rows, state }: Effect.Success<ReturnType<typeof open>>) {
      let { mine } = state
      // Until all of it is done.
      state.mine = undefined
      if (mine === undefined || now - state.readAt > rereadAfter) {
        const read = yield* statements.leasesOf(id)
        mine = new Map(read.map(({ pipeId, weight }) => [PipeId.make(pipeId), weight]))
        state.readAt = now
      }
      const changed = Array.from(mine).flatMap(([pipeId, before]) => {
        const weight = weights.get(pipeId) ?? before
        return weight === before ? [] : [{ pipeId, weight }]
      })
      yield* statements.weigh(id, changed)
      for (const { pipeId, weight } of changed) mine.set(pipeId, weight)
      const ended = rows.flatMap((row) => (row.expiresAt === 0 ? [row.id] : []))
      if (isDue && ended.length > 0) yield* statements.removeEnded(ended)
      // Also those that had no pipe, which nobody looks for.
      if (isDue && rows.some((row) => row.expiresAt > 0 && row.expiresAt <= now)) yield* statements.endExpired
      yield* divide(session, state, rows, now, wanted, mine)
      state.mine = mine
      const said = sumOf(mine.values())
      // A session says at once that it rests: others then take its share.
      const isNews = rows.some((row) => row.id === id && (row.resting === 1) !== (session.isResting === true))
      if (isNews || !isSame(said, state.said)) yield* renew(session, state, said)
      return new Set(mine.keys())
    })
    const shared = Effect.gen(function* () {
      const opened = yield* open(session)
      // Nothing that may take its time comes before the renewal.
      if (opened.isDue) yield* renew(session, opened.state, opened.state.said)
      // Nor does anything that takes its time keep the session from the next one.
      const renewals = Effect.forever(
        Effect.andThen(
          Effect.sleep(lasting * renewedAfter),
          Effect.suspend(() => renew(session, opened.state, opened.state.said))
        )
      )
      return yield* Effect.raceFirst(divided(opened), renewals)
    })
    return yield* orLedgerError(shared)
  })

  return Leases.of({
    ...makeSavedMetrics(sql),
    share,
    release: Effect.fn("SqlLeases.release")(function* (id) {
      known.delete(id)
      yield* orLedgerError(statements.release(id))
    }),
    held: orLedgerError(statements.held)
  })
})

/**
 * The mover's `Leases` over SQL, for movers that share a database. In Postgres the database's clock counts. `leaseTime`: how long a
 * pipe stays with a mover that does not ask any more; by default 10 seconds. An outage of the database is a `LedgerError`.
 *
 * @example
 * ```ts
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import { SqlLeases } from "@headgate/sql-adapter/mover"
 * import * as Layer from "effect/Layer"
 *
 * const store = SqlAdapter.layerSqlite({ filename: "data/headgate.db" })
 * export const leases = SqlLeases.layer().pipe(Layer.provide(store))
 * ```
 */
export const SqlLeases = {
  layer: (options: { readonly leaseTime?: Duration.Duration } = {}): Layer.Layer<Leases, never, SqlClient.SqlClient> =>
    Layer.effect(Leases, make(options.leaseTime ?? defaultLeaseTime))
}
