import type { PipeId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Leases } from "../port/Leases.ts"
import { divideLeases, leaseTime as defaultLeaseTime } from "../rule/divideLeases.ts"

interface Lease {
  readonly mover: string
  readonly expiresAt: number
  readonly metrics?: string
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
  const processes = new Map<string, { readonly serves: string; readonly expiresAt: number }>()
  const leases = new Map<PipeId, Lease>()
  const isOthers = (pipeId: PipeId, mover: string, now: number): boolean => {
    const lease = leases.get(pipeId)
    return lease !== undefined && lease.mover !== mover && lease.expiresAt > now
  }

  return Leases.of({
    share: Effect.fn("MemoryLeases.share")(function* ({ name: mover, serves }, pipes) {
      const now = yield* Clock.currentTimeMillis
      const expiresAt = now + Duration.toMillis(leaseTime)
      processes.set(mover, { serves, expiresAt })
      const alive = Array.from(processes.values()).filter((one) => one.serves === serves && one.expiresAt > now)
      const held = Array.from(leases).flatMap(([pipeId, lease]) =>
        lease.expiresAt > now ? [{ pipeId, mover: lease.mover }] : []
      )
      const { giveBack, keep, take } = divideLeases({ mover, movers: alive.length, pipes, held })
      for (const pipeId of giveBack) leases.set(pipeId, { ...leases.get(pipeId), mover, expiresAt: 0 })
      const mine = new Set([...keep, ...take])
      for (const pipeId of mine) leases.set(pipeId, { ...leases.get(pipeId), mover, expiresAt })
      return mine
    }),
    release: (mover) =>
      Effect.sync(() => {
        processes.delete(mover)
        for (const [pipeId, lease] of leases) if (lease.mover === mover) leases.set(pipeId, { ...lease, expiresAt: 0 })
      }),
    saveMetrics: Effect.fn("MemoryLeases.saveMetrics")(function* (mover, saved) {
      const now = yield* Clock.currentTimeMillis
      for (const [pipeId, metrics] of saved) {
        if (!isStored(pipeId) || isOthers(pipeId, mover, now)) continue
        leases.set(pipeId, { expiresAt: 0, ...leases.get(pipeId), mover, metrics })
      }
    }),
    savedMetrics: Effect.fn("MemoryLeases.savedMetrics")(function* (pipeIds) {
      const now = yield* Clock.currentTimeMillis
      return new Map(
        pipeIds.flatMap((pipeId) => {
          const { expiresAt = 0, metrics } = leases.get(pipeId) ?? {}
          return metrics === undefined ? [] : [[pipeId, { metrics, isHeld: expiresAt > now }] as const]
        })
      )
    })
  })
}

/** The leases of movers in one process, for tests and for a server whose store is memory. */
export const MemoryLeases = { make }
