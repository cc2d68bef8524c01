import type { PipeId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Leases, type MoverSession, SessionExpired } from "../port/Leases.ts"
import { divideLeases, leaseTime as defaultLeaseTime } from "../rule/divideLeases.ts"

interface Session extends MoverSession {
  readonly expiresAt: number
}

/** `isHeld`: the session has not given the pipe back. The row stays: it says which session had the pipe last. */
interface Lease {
  readonly session: string
  readonly isHeld: boolean
  readonly weight: number
}

/**
 * Leases in memory. `isStored`: whether the store has a pipe; by default it has all.
 *
 * @example
 * ```ts
 * import { MemoryLeases } from "@headgate/mover/memory"
 * import * as Duration from "effect/Duration"
 *
 * export const leases = MemoryLeases.make({ leaseTime: Duration.seconds(2) })
 * ```
 */
const make = (
  options: { readonly leaseTime?: Duration.Duration; readonly isStored?: (pipeId: PipeId) => boolean } = {}
): Leases["Service"] => {
  const { isStored = () => true, leaseTime = defaultLeaseTime } = options
  const sessions = new Map<string, Session>()
  const leases = new Map<PipeId, Lease>()
  const kept = new Map<PipeId, string>()
  const isAlive = (id: string, now: number) => (sessions.get(id)?.expiresAt ?? 0) > now
  const isHeld = (lease: Lease | undefined, now: number) => lease?.isHeld === true && isAlive(lease.session, now)
  const weightOf = (pipeId: PipeId) => leases.get(pipeId)?.weight ?? 1

  return Leases.of({
    share: Effect.fn("MemoryLeases.share")(function* (session, wanted, weights = new Map()) {
      const { id, isResting = false, serves } = session
      const now = yield* Clock.currentTimeMillis
      if (sessions.has(id) && !isAlive(id, now))
        return yield* new SessionExpired({ message: "the session has expired" })
      sessions.set(id, { ...session, expiresAt: now + Duration.toMillis(leaseTime) })
      const others = Array.from(sessions.values()).filter(
        (one) => one.id !== id && one.serves === serves && one.expiresAt > now && one.isResting !== true
      ).length
      const weighted = (pipeId: PipeId) => ({ pipeId, weight: weights.get(pipeId) ?? weightOf(pipeId) })
      const held = Array.from(leases).flatMap(([pipeId, lease]) =>
        lease.session === id && lease.isHeld ? [weighted(pipeId)] : []
      )
      const all = Array.from(wanted, weighted)
      const takes = !isResting || others === 0
      const { giveBack, keep, take } = divideLeases({
        mine: held.filter(({ pipeId }) => wanted.has(pipeId)),
        free: takes ? all.filter(({ pipeId }) => !isHeld(leases.get(pipeId), now)) : [],
        all: {
          movers: takes ? others + 1 : 0,
          pipes: all.length,
          load: all.reduce((sum, { weight }) => sum + weight, 0),
          lightest: all.reduce((least, { weight }) => Math.min(least, weight), Infinity)
        }
      })
      const mine = new Set([...keep, ...take])
      for (const { pipeId, weight } of held) leases.set(pipeId, { session: id, isHeld: mine.has(pipeId), weight })
      for (const pipeId of giveBack) leases.set(pipeId, { session: id, isHeld: false, weight: weightOf(pipeId) })
      for (const pipeId of take) leases.set(pipeId, { session: id, isHeld: true, weight: weightOf(pipeId) })
      return mine
    }),
    release: (id) =>
      Effect.sync(() => {
        sessions.delete(id)
        for (const [pipeId, lease] of leases) if (lease.session === id) leases.set(pipeId, { ...lease, isHeld: false })
      }),
    held: Effect.map(
      Clock.currentTimeMillis,
      (now) => Array.from(leases.values()).filter((lease) => isHeld(lease, now)).length
    ),
    saveMetrics: (id, saved) =>
      Effect.sync(() => {
        for (const [pipeId, metrics] of saved) {
          const { session = id } = leases.get(pipeId) ?? {}
          if (isStored(pipeId) && session === id) kept.set(pipeId, metrics)
        }
      }),
    savedMetrics: Effect.fn("MemoryLeases.savedMetrics")(function* (pipeIds) {
      const now = yield* Clock.currentTimeMillis
      return new Map(
        pipeIds.flatMap((pipeId) => {
          const metrics = kept.get(pipeId)
          return metrics === undefined ? [] : [[pipeId, { metrics, isHeld: isHeld(leases.get(pipeId), now) }] as const]
        })
      )
    })
  })
}

/** The leases of movers in one process, for tests and for a server whose store is memory. */
export const MemoryLeases = { make }
