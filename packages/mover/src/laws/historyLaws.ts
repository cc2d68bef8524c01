import { assert, it } from "@effect/vitest"
import type { PipeId } from "@headgate/core"
import type { HistorySpan } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { History } from "../port/History.ts"
import type { Ledger, Owner } from "../port/Ledger.ts"
import { lawPipeId, otherPipeId, rangeOf } from "./lawPipes.ts"

/** A history, and the ledger of the same store. */
export interface HistoryUnderTest {
  readonly history: History["Service"]
  readonly ledger: Ledger["Service"]
  /** Sets the clock of a store that has one of its own, in milliseconds since 1970. */
  readonly setClock?: (millis: number) => Effect.Effect<void, unknown>
}

const pipes = [lawPipeId, otherPipeId]

/** The first minute of each law. */
const start = 29_000_000

const minutesOfDay = 24 * 60

/** A mover as it uses a history: a number, and the pipes that it has. Those that are not noted yet are noted in this minute. */
interface Mover {
  number: number | undefined
  readonly held: Map<PipeId, { readonly owner: Owner; isNoted: boolean }>
  /** The minute until which it does nothing. */
  frozenUntil: number
}

/** Numbers that look random, the same ones for each seed. */
const makeRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** What the laws do with a history and a ledger. The oracle counts what is delivered, and in which minutes a pipe has a mover. */
const makeWorld = Effect.fnUntraced(function* (under: HistoryUnderTest, clock: { millis: number }) {
  const { history, ledger, setClock = () => Effect.void } = under
  const generations = new Map<PipeId, number>()
  const positions = new Map<PipeId, number>()
  const delivered = new Map(pipes.map((id) => [id, { rows: 0, errors: 0, bytes: 0 }]))
  const minuteSets = () => new Map(pipes.map((id) => [id, new Set<number>()]))
  /** The minutes that must have a point, and those that may have one. */
  const [must, may] = [minuteSets(), minuteSets()]
  const minute = () => Math.floor(clock.millis / 60_000)

  const setTime = Effect.fnUntraced(function* (millis: number) {
    clock.millis = millis
    yield* setClock(millis)
  })
  yield* setTime(start * 60_000 + 5_000)

  const ran = (mover: Mover) => {
    for (const id of mover.held.keys()) may.get(id)?.add(minute())
  }
  /** Writes notes as a mover does: `all` of its pipes, or those that are not noted yet. */
  const note = Effect.fnUntraced(function* (mover: Mover, all: boolean) {
    const last = mover.number
    mover.number = yield* history.beat(last)
    if (mover.number !== last) for (const one of mover.held.values()) one.isNoted = false
    for (const which of ["this", "last"] as const) {
      const chosen = Array.from(mover.held).filter(([, { isNoted }]) => isNoted === (which === "last"))
      if (which === "last" && !all) continue
      const noted = yield* history.note(
        mover.number,
        chosen.map(([pipeId, { owner }]) => ({ pipeId, epoch: owner.epoch, state: "Running", lag: undefined })),
        which
      )
      for (const [id, one] of chosen) {
        if (noted.has(id)) one.isNoted = true
        // Another one has it.
        else mover.held.delete(id)
      }
    }
    for (const id of mover.held.keys()) must.get(id)?.add(minute())
  })

  return {
    history,
    delivered,
    must,
    may,
    minute,
    setTime,
    ran,
    note,
    take: Effect.fnUntraced(function* (mover: Mover, pipeId: PipeId) {
      const owner = yield* ledger.take(pipeId)
      if (!generations.has(pipeId)) {
        generations.set(pipeId, 1)
        yield* ledger.begin(owner, { generation: 1, source: "topic", starts: new Map() })
      }
      mover.held.set(pipeId, { owner, isNoted: false })
    }),
    deliver: Effect.fnUntraced(function* (mover: Mover, pipeId: PipeId, rows: number) {
      const one = mover.held.get(pipeId)
      if (one === undefined) return
      const from = positions.get(pipeId) ?? 0
      const range = rangeOf(from, from + rows, { pipeId, generation: generations.get(pipeId) ?? 1 })
      const isOwner = yield* Effect.match(ledger.record(one.owner, range), {
        onFailure: () => false,
        onSuccess: () => true
      })
      if (!isOwner) return
      yield* ledger.markDone(one.owner, range, { rows, rejected: 1, bytes: rows * 10 })
      positions.set(pipeId, from + rows)
      const total = delivered.get(pipeId) ?? { rows: 0, errors: 0, bytes: 0 }
      delivered.set(pipeId, { rows: total.rows + rows, errors: total.errors + 1, bytes: total.bytes + rows * 10 })
    }),
    /** The pipe begins anew: what it has delivered does not count in its status any more. */
    resync: Effect.fnUntraced(function* (mover: Mover, pipeId: PipeId) {
      const one = mover.held.get(pipeId)
      if (one === undefined) return
      const generation = (generations.get(pipeId) ?? 1) + 1
      const begun = ledger.begin(one.owner, { generation, source: "topic", starts: new Map() }, { anew: true })
      if (yield* Effect.match(begun, { onFailure: () => false, onSuccess: () => true })) {
        generations.set(pipeId, generation)
        positions.set(pipeId, 0)
      }
    }),
    end: Effect.fnUntraced(function* (mover: Mover, pipeId: PipeId) {
      const one = mover.held.get(pipeId)
      if (one === undefined) return
      mover.held.delete(pipeId)
      yield* history.note(0, [{ pipeId, epoch: one.owner.epoch, state: "Running", lag: undefined }], "this")
    })
  }
})

type World = Effect.Success<ReturnType<typeof makeWorld>>

const newMover = (): Mover => ({ number: undefined, held: new Map(), frozenUntil: 0 })

const totalOf = (spans: ReadonlyArray<HistorySpan>) =>
  spans.reduce(
    (total, { bytes, errors, rows }) => ({
      rows: total.rows + rows,
      errors: total.errors + errors,
      bytes: total.bytes + bytes
    }),
    { rows: 0, errors: 0, bytes: 0 }
  )

const minutesIn = (spans: ReadonlyArray<HistorySpan>): ReadonlySet<number> =>
  new Set(spans.flatMap(({ at, minutes }) => Array.from({ length: minutes }, (_, index) => at + index)))

/** Runs two movers for some minutes: pipes are taken, delivered, begun anew, given up; movers are killed and freeze; the clock jumps. */
const runAtRandom = Effect.fnUntraced(function* (world: World, seed: number, minutes: number) {
  const random = makeRandom(seed)
  const movers = [newMover(), newMover()]
  for (let index = 0; index < minutes; index += 1) {
    const jump = random(40) === 0 ? (random(2) === 0 ? -1 - random(90) : 5 + random(90)) : 0
    const next = (world.minute() + 1 + jump) * 60_000
    if (jump < 0) {
      // They are minutes that have not come yet.
      for (const id of pipes)
        for (const minute of world.must.get(id) ?? []) if (minute * 60_000 >= next) world.must.get(id)?.delete(minute)
    }
    // A clock that is set back while a mover is frozen hides that it was.
    if (jump !== 0)
      for (const [at, { frozenUntil }] of movers.entries()) if (frozenUntil >= index) movers[at] = newMover()
    yield* world.setTime(next + 5_000)
    const awake = movers.filter(({ frozenUntil }) => frozenUntil <= index)
    for (const mover of awake) {
      world.ran(mover)
      yield* world.note(mover, true)
      yield* world.history.tidy(7)
    }
    yield* world.setTime(next + 30_000)
    for (const mover of awake) {
      const other = movers.find((one) => one !== mover)
      for (const id of pipes) {
        const act = random(12)
        if (act < 5) yield* world.deliver(mover, id, 1 + random(1000))
        if (act === 5) yield* world.resync(mover, id)
        if (act === 6) yield* world.end(mover, id)
        if (act === 7 && !mover.held.has(id) && (random(4) === 0 || !other?.held.has(id))) {
          yield* world.take(mover, id)
          world.ran(mover)
          yield* world.note(mover, false)
        }
      }
      if (random(25) === 0) mover.frozenUntil = index + 4 + random(10)
      if (random(25) === 0) movers[movers.indexOf(mover)] = newMover()
    }
  }
  // The mover that takes them last notes what was delivered before.
  const last = newMover()
  for (const id of pipes) yield* world.take(last, id)
  world.ran(last)
  yield* world.note(last, true)
  for (const id of pipes) yield* world.end(last, id)
})

const everything = [0, 2 * start] as const

/**
 * The laws of `History`: nothing that was delivered is lost, counted twice or negative, and a minute has a point if a mover had the pipe.
 *
 * @example
 * ```ts
 * import { historyLaws } from "@headgate/mover/laws"
 * import { MemoryHistory, MemoryLedger } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 *
 * // In a test file of Vitest.
 * export const suite = () =>
 *   historyLaws({
 *     name: "memory",
 *     make: Effect.sync(() => {
 *       const { ledger, totals } = MemoryLedger.make()
 *       return { ledger, history: MemoryHistory.make(totals) }
 *     })
 *   })
 * ```
 */
export const historyLaws = ({
  make,
  name,
  runs = 3
}: {
  readonly name: string
  /** A history over a store with the two pipes of the laws. It is called for each law. */
  readonly make: Effect.Effect<HistoryUnderTest, unknown, Scope.Scope>
  /** How often movers do something at random. */
  readonly runs?: number
}): void => {
  const law = (title: string, body: (world: World, seed: number) => Effect.Effect<void, unknown>, seeds = 1) => {
    const run = (seed: number) =>
      Effect.gen(function* () {
        const under = yield* make
        const real = yield* Clock.Clock
        const time = { millis: 0 }
        const clock: Clock.Clock = Object.assign(Object.create(real), {
          currentTimeMillisUnsafe: () => time.millis,
          currentTimeMillis: Effect.sync(() => time.millis)
        })
        const inWorld = Effect.flatMap(makeWorld(under, time), (world) => body(world, seed))
        yield* Effect.provideService(inWorld, Clock.Clock, clock)
      }).pipe(Effect.scoped)
    it.live(`${name}: ${title}`, () =>
      Effect.forEach(
        Array.from({ length: seeds }, (_, index) => index + 1),
        run,
        { discard: true }
      )
    )
  }
  const nextMinute = (world: World, minutes = 1) => world.setTime((world.minute() + minutes) * 60_000 + 5_000)
  const read = (world: World, pipeId = lawPipeId) => world.history.read(pipeId, ...everything)

  law("a minute has what was delivered in it, and an idle minute has a point that nobody wrote", (world) =>
    Effect.gen(function* () {
      const mover = newMover()
      yield* world.take(mover, lawPipeId)
      yield* world.note(mover, false)
      yield* world.deliver(mover, lawPipeId, 100)
      yield* nextMinute(world)
      yield* world.note(mover, true)
      yield* world.deliver(mover, lawPipeId, 7)
      for (let index = 0; index < 3; index += 1) {
        yield* nextMinute(world)
        mover.number = yield* world.history.beat(mover.number)
      }
      yield* world.note(mover, true)
      yield* world.end(mover, lawPipeId)
      const rows = new Map<number, number>()
      for (const span of yield* read(world)) rows.set(span.at - start, (rows.get(span.at - start) ?? 0) + span.rows)
      assert.deepStrictEqual(
        Array.from(rows).filter(([, count]) => count > 0),
        [
          [0, 100],
          [3, 7]
        ]
      )
      assert.deepStrictEqual(
        Array.from(minutesIn(yield* read(world))),
        [0, 1, 2, 3, 4].map((at) => start + at)
      )
      assert.deepStrictEqual(yield* read(world, otherPipeId), [])
    })
  )

  law("a mover that lost its pipe writes nothing, and counts nothing twice", (world) =>
    Effect.gen(function* () {
      const [mover, other] = [newMover(), newMover()]
      yield* world.take(mover, lawPipeId)
      yield* world.note(mover, false)
      yield* world.deliver(mover, lawPipeId, 100)
      const stale = new Map(mover.held)
      yield* world.take(other, lawPipeId)
      yield* world.note(other, false)
      yield* nextMinute(world)
      yield* world.note(mover, true)
      assert.strictEqual(mover.held.size, 0)
      yield* world.deliver(other, lawPipeId, 5)
      yield* world.note(other, true)
      for (const [id, one] of stale) mover.held.set(id, one)
      yield* world.note(mover, true)
      assert.deepStrictEqual(totalOf(yield* read(world)), { rows: 105, errors: 2, bytes: 1050 })
    })
  )

  law("as many rows again after a beginning anew are counted", (world) =>
    Effect.gen(function* () {
      const mover = newMover()
      yield* world.take(mover, lawPipeId)
      yield* world.note(mover, false)
      for (let index = 0; index < 2; index += 1) {
        yield* world.deliver(mover, lawPipeId, 50)
        yield* world.resync(mover, lawPipeId)
        yield* world.deliver(mover, lawPipeId, 50)
        yield* nextMinute(world)
        yield* world.note(mover, true)
        yield* world.resync(mover, lawPipeId)
      }
      assert.deepStrictEqual(totalOf(yield* read(world)), { rows: 200, errors: 4, bytes: 2000 })
    })
  )

  law("nothing is kept after a removal, and what was delivered before the next note is left out", (world) =>
    Effect.gen(function* () {
      const mover = newMover()
      yield* world.take(mover, lawPipeId)
      yield* world.note(mover, false)
      yield* world.deliver(mover, lawPipeId, 100)
      yield* nextMinute(world)
      yield* world.note(mover, true)
      yield* world.history.clear
      assert.deepStrictEqual(yield* read(world), [])
      yield* world.deliver(mover, lawPipeId, 10)
      yield* nextMinute(world)
      yield* world.note(mover, true)
      yield* world.deliver(mover, lawPipeId, 3)
      yield* nextMinute(world)
      yield* world.note(mover, true)
      assert.strictEqual(totalOf(yield* read(world)).rows, 3)
    })
  )

  law(
    "whatever movers and clocks do, the sum is what was delivered, and a point stands where a mover ran",
    (world, seed) =>
      Effect.gen(function* () {
        yield* runAtRandom(world, seed, 200)
        for (const id of pipes) {
          const spans = yield* read(world, id)
          assert.deepStrictEqual(totalOf(spans), world.delivered.get(id), `run ${seed}, pipe ${id}`)
          assert.isTrue(spans.every(({ bytes, errors, rows }) => rows >= 0 && errors >= 0 && bytes >= 0))
          const found = minutesIn(spans)
          const holes = Array.from(world.must.get(id) ?? []).filter((minute) => !found.has(minute))
          const tooMany = Array.from(found).filter((minute) => world.may.get(id)?.has(minute) !== true)
          assert.deepStrictEqual({ holes, tooMany }, { holes: [], tooMany: [] }, `run ${seed}, pipe ${id}`)
        }
      }),
    runs
  )

  law("a history that was made coarser has the same sum and the same steps, and its end is removed", (world) =>
    Effect.gen(function* () {
      yield* runAtRandom(world, 1, 300)
      const stepsIn = (spans: ReadonlyArray<HistorySpan>) =>
        new Set(Array.from(minutesIn(spans), (minute) => Math.floor(minute / 10)))
      const before = yield* Effect.forEach(pipes, (id) => read(world, id))
      yield* nextMinute(world, 3 * minutesOfDay)
      for (let index = 0; index < 12; index += 1) yield* world.history.tidy(7)
      const after = yield* Effect.forEach(pipes, (id) => read(world, id))
      for (const [index, spans] of after.entries()) {
        assert.deepStrictEqual(totalOf(spans), totalOf(before[index] ?? []))
        assert.deepStrictEqual(stepsIn(spans), stepsIn(before[index] ?? []))
        assert.isBelow(spans.length, (before[index] ?? []).length)
      }
      yield* nextMinute(world, 5 * minutesOfDay)
      for (let index = 0; index < 12; index += 1) yield* world.history.tidy(7)
      for (const id of pipes) assert.deepStrictEqual(yield* read(world, id), [])
    })
  )
}
