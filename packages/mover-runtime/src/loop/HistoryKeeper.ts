import type { PipeId } from "@headgate/core"
import type { History, HistoryNote } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { LivePipe } from "../pipe/LivePipe.ts"
import type { MoverContext } from "../pipe/MoverContext.ts"
import { readLag } from "../pipe/metrics.ts"

const minute = 60_000

/** How many milliseconds after the begin of a minute it is written at most: servers do not write at the same moment. */
const jitter = 8000

/** How often it is looked which pipes were started and which were given up. */
const interval = "1 second"

/** How long the store is left alone after it did not answer. */
const afterOutage = "5 seconds"

/** A pipe that does nothing is noted as often, in milliseconds. */
const longestSilence = 6 * 60 * minute

/** How many sources are asked for their lag at the same time, and for how long all of them. */
const atOnce = 16
const lagTimeout = "15 seconds"

/** What was noted of a pipe that this process moves. */
interface Noted {
  readonly live: LivePipe
  readonly note: HistoryNote
  /** What changes when anything happens. */
  readonly figures: string
  readonly at: number
  /** What happened in the minute of the note may have been stored after it. */
  readonly isSettled: boolean
}

const noteOf = (pipeId: PipeId, live: LivePipe): HistoryNote | undefined =>
  live.owner === undefined || live.end?._tag === "Superseded"
    ? undefined
    : {
        pipeId,
        epoch: live.owner.epoch,
        state: live.reported?.state ?? live.record.pipe.state ?? "Provisioning",
        lag: live.lag === undefined ? undefined : Math.round(live.lag)
      }

const figuresOf = ({ status }: LivePipe, { lag, state }: HistoryNote): string =>
  JSON.stringify([state, lag, status?.ranges, status?.rows, status?.bytes, status?.delivered])

/** When a process writes its minute next, in milliseconds since 1970. */
const nextMinute = (now: number, offset: number): number => Math.floor((now - offset) / minute + 1) * minute + offset

/** What a process has noted, and how it goes on. */
const makeNotes = (history: History["Service"], days: number, running: () => ReadonlyMap<PipeId, LivePipe>) => {
  const noted = new Map<PipeId, Noted>()
  let number: number | undefined

  const write = Effect.fnUntraced(function* (
    which: "this" | "last",
    chosen: ReadonlyArray<readonly [LivePipe, HistoryNote]>,
    mover: number
  ) {
    if (chosen.length === 0) return
    const at = yield* Clock.currentTimeMillis
    const figures = chosen.map(([live, note]) => figuresOf(live, note))
    const written = yield* history.note(
      mover,
      chosen.map(([, note]) => note),
      which
    )
    for (const [index, [live, note]] of chosen.entries()) {
      const before = noted.get(note.pipeId)
      const now = figures[index] ?? ""
      // Another one has it: it is tried again once this process has taken the pipe again.
      if (!written.has(note.pipeId)) noted.delete(note.pipeId)
      else noted.set(note.pipeId, { live, note, figures: now, at, isSettled: before?.figures === now })
    }
  })

  const current = () =>
    Array.from(running()).flatMap(([pipeId, live]) => {
      const note = noteOf(pipeId, live)
      return note === undefined ? [] : [[live, note] as const]
    })
  const isNoted = ([live, { pipeId }]: readonly [LivePipe, HistoryNote]) => noted.get(pipeId)?.live === live

  const beat = Effect.gen(function* () {
    const mover = yield* history.beat(number)
    // It is another one: what it has noted as the one before ends with that.
    if (mover !== number) noted.clear()
    number = mover
    return mover
  })

  /** Notes the end of pipes. Those whose end cannot be written are ended by a later call. */
  const end = Effect.fnUntraced(function* (isEnded: (one: Noted) => boolean) {
    if (!Array.from(noted.values()).some(isEnded)) return
    // After a process was frozen, its pipes have ended with the time when it was last alive.
    yield* beat
    const chosen = Array.from(noted.values()).filter(isEnded)
    if (chosen.length === 0) return
    yield* history.note(
      0,
      chosen.map(({ live, note }) => noteOf(note.pipeId, live) ?? note),
      "this"
    )
    for (const { note } of chosen) noted.delete(note.pipeId)
  })

  return {
    /** Notes the pipes that were given up, and those that were started. */
    follow: Effect.gen(function* () {
      const lives = running()
      yield* end(({ live, note }) => lives.get(note.pipeId) !== live)
      if (current().every(isNoted)) return
      const mover = yield* beat
      yield* write(
        "this",
        current().filter((one) => !isNoted(one)),
        mover
      )
    }),
    /** Writes a minute: the pipes of which anything has changed. */
    writeMinute: Effect.gen(function* () {
      const lives = running()
      yield* Effect.ignore(
        Effect.timeout(Effect.forEach(lives.values(), readLag, { concurrency: atOnce, discard: true }), lagTimeout)
      )
      const mover = yield* beat
      const now = yield* Clock.currentTimeMillis
      const isDue = ([live, note]: readonly [LivePipe, HistoryNote]) => {
        const last = noted.get(note.pipeId)
        return (
          last === undefined ||
          !last.isSettled ||
          last.figures !== figuresOf(live, note) ||
          now - last.at >= longestSilence
        )
      }
      yield* write(
        "last",
        current().filter((one) => isNoted(one) && isDue(one)),
        mover
      )
      yield* history.tidy(days)
    }),
    endAll: end(() => true)
  }
}

/**
 * Keeps the history of the pipes that this process moves: what each has delivered in a minute is written when the minute is over, and
 * that it has a mover when it is started and given up. It is apart from the leases, and waits for no pipe.
 */
export const keepHistory = Effect.fnUntraced(function* (
  { historyDays = 7, store }: MoverContext,
  running: () => ReadonlyMap<PipeId, LivePipe>
) {
  const { history } = store
  if (history === undefined) return
  if (historyDays === 0) return yield* Effect.ignore(history.clear)
  const { endAll, follow, writeMinute } = makeNotes(history, historyDays, running)
  // It runs after the pipes have stopped.
  yield* Effect.addFinalizer(() => Effect.ignore(endAll))
  const offset = Math.floor((yield* Random.next) * jitter)
  let next = nextMinute(yield* Clock.currentTimeMillis, offset)
  const step = Effect.gen(function* () {
    yield* follow
    const now = yield* Clock.currentTimeMillis
    // Also after the clock was set back.
    if (now < next && next - now <= minute) return
    yield* writeMinute
    next = nextMinute(now, offset)
  }).pipe(
    // The store has logged why it does not answer.
    Effect.catch(() => Effect.sleep(afterOutage)),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError("the history could not be written", defect), Effect.sleep(afterOutage))
    )
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(interval), step)))
})
