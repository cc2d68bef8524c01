import { PipeId } from "@headgate/core"
import { type DividedLoad, divideLeases, type MoverSession, type WeightedPipe } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { makeSessionStatements, SaidLoad, SessionRow } from "./sessionStatements.ts"

/** What is known of a session of this process, so that it need not be read. */
export interface KnownSession {
  /** The weights of its pipes as they are stored; `undefined` if a statement failed, after which they are read. */
  mine: Map<PipeId, number> | undefined
  /** When they were read last, in milliseconds of the clock of leases. */
  readAt: number
  /** What it has said of them. */
  said: SaidLoad
  /** What it saw when it looked for free pipes in vain, and until when it does not look again unless that changes. */
  seen: string
  looksAt: number
}

/** How long it waits on average before it looks again for free pipes after it has found none, in milliseconds. */
const lookInterval = 5000

/**
 * It takes so many pipes at a time, and the others with the next calls: servers that start at the same time then come to equal shares, and
 * none begins with all pipes.
 */
const mostTaken = 200

export const nothing: SaidLoad = { pipes: 0, load: 0, lightest: 1 }

export const sumOf = (weights: Iterable<number>): SaidLoad => {
  let [pipes, load, lightest] = [0, 0, Infinity]
  for (const weight of weights) {
    pipes += 1
    load += weight
    lightest = Math.min(lightest, weight)
  }
  return pipes === 0 ? nothing : { pipes, load, lightest }
}

const add = (one: SaidLoad, other: SaidLoad): SaidLoad => {
  if (one.pipes === 0 || other.pipes === 0) return one.pipes === 0 ? other : one
  return {
    pipes: one.pipes + other.pipes,
    load: one.load + other.load,
    lightest: Math.min(one.lightest, other.lightest)
  }
}

/** As many pipes of which nothing is known. */
const unknown = (pipes: number): SaidLoad => (pipes <= 0 ? nothing : { pipes, load: pipes, lightest: 1 })

export const isSame = (one: SaidLoad, other: SaidLoad) => one.pipes === other.pipes && one.load === other.load

/** How a session comes to its share: what it gives back, and what it takes. */
export const makeDivide = (statements: ReturnType<typeof makeSessionStatements>) => {
  /** Looks for free pipes. Returns the weights of those, and the sum of all. */
  const look = Effect.fnUntraced(function* (wanted: ReadonlySet<PipeId>, mine: ReadonlyMap<PipeId, number>) {
    const rows = yield* statements.leases
    const leases = new Map(rows.map((row) => [row.pipeId, row] as const))
    const free: Array<WeightedPipe> = []
    const weights: Array<number> = []
    for (const pipeId of wanted) {
      const row = leases.get(pipeId)
      const weight = mine.get(pipeId) ?? row?.weight ?? 1
      weights.push(weight)
      const isTaken = row !== undefined && row.held === 1 && row.ended === 0
      if (!mine.has(pipeId) && !isTaken) free.push({ pipeId, weight })
    }
    const ended = new Set(rows.flatMap(({ ended, held, sessionId }) => (held === 1 && ended === 1 ? [sessionId] : [])))
    // Movers that look at the same time take different ones.
    return { free: yield* Random.shuffle(free), total: sumOf(weights), ended }
  })

  /** `mine`: the pipes of the session, with their weights. It is changed. */
  return Effect.fnUntraced(function* (
    { id, isResting = false, serves }: MoverSession,
    state: KnownSession,
    rows: ReadonlyArray<SessionRow>,
    now: number,
    wanted: ReadonlySet<PipeId>,
    mine: Map<PipeId, number>
  ) {
    const others = rows.filter((row) => row.id !== id && row.serves === serves && row.expiresAt > now)
    const takers = others.filter(({ resting }) => resting === 0).length
    const takes = !isResting || takers === 0
    const movers = takes ? takers + 1 : 0
    const kept = Array.from(mine, ([pipeId, weight]) => ({ pipeId, weight })).filter(({ pipeId }) => wanted.has(pipeId))
    const heldByAll = others.reduce(add, sumOf(kept.map(({ weight }) => weight)))
    const waiting = wanted.size - heldByAll.pipes
    const all: DividedLoad = { ...add(heldByAll, unknown(waiting)), movers }
    const first = divideLeases({ mine: kept, free: [], all })
    const keeps = new Set(first.keep)
    const given = Array.from(mine.keys()).filter((pipeId) => !keeps.has(pipeId))
    if (given.length > 0) {
      yield* statements.giveBack(id, given)
      for (const pipeId of given) mine.delete(pipeId)
    }
    const seen = `${wanted.size} ${heldByAll.pipes} ${others.length}`
    const isBelow = sumOf(mine.values()).load < all.load / movers
    if (!takes || waiting <= 0 || !isBelow || (seen === state.seen && now < state.looksAt)) return
    // Only the pipes of sessions that have ended are free.
    if (rows.some((row) => row.expiresAt > 0 && row.expiresAt <= now)) yield* statements.endExpired
    const { ended, free, total } = yield* look(wanted, mine)
    const after = Array.from(mine, ([pipeId, weight]) => ({ pipeId, weight }))
    const { take } = divideLeases({ mine: after, free, all: { ...total, movers } })
    if (take.length === 0) {
      state.seen = seen
      state.looksAt = now + lookInterval * (0.5 + (yield* Random.next))
    }
    for (const { pipeId, weight } of yield* statements.take(id, take.slice(0, mostTaken), Array.from(ended)))
      mine.set(pipeId, weight)
  })
}
