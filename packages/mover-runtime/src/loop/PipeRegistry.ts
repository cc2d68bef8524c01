import { type PipeId, versionOf } from "@headgate/core"
import type { PipeAssignment, PipeRecord } from "@headgate/core/adapter"
import { LedgerError, OwnershipLost } from "@headgate/mover"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { LivePipe } from "../pipe/LivePipe.ts"
import type { MoverContext } from "../pipe/MoverContext.ts"
import { runPipe } from "../pipe/runPipe.ts"
import type { MetricsKeeper } from "./MetricsKeeper.ts"
import { beginsAnew } from "./reconcilePipe.ts"

/** The pipes that a process moves: a fiber for each. The fibers end with the scope. */
export const makePipeRegistry = Effect.fnUntraced(function* (context: MoverContext, metrics: MetricsKeeper) {
  const scope = yield* Effect.scope
  const running = new Map<PipeId, LivePipe>()
  /** The pipes whose fibers were interrupted and have not ended: a connection that is being opened may take its time. */
  const ending = new Set<PipeId>()

  /** A mover whose pipe was changed by a user in the meantime ends, and another one looks at the pipe anew. */
  const forgetDecision = ({ address, version }: PipeAssignment) =>
    context.moved.decided(address, version).pipe(
      Effect.mapError(({ message }) => new LedgerError({ message })),
      Effect.filterOrFail(
        (isForgotten) => isForgotten,
        () => new OwnershipLost({ message: "a user has changed the pipe" })
      ),
      Effect.asVoid
    )

  const live: ReadonlyMap<PipeId, LivePipe> = running
  return {
    running: live,
    /** Whether a pipe was stopped, and its fiber has not ended. */
    isEnding: (id: PipeId): boolean => ending.has(id),

    /** Begins to stop a pipe. Nothing waits for the end, so that one pipe holds up no other. */
    stop: Effect.fnUntraced(function* (id: PipeId) {
      const live = running.get(id)
      if (live === undefined) return
      running.delete(id)
      ending.add(id)
      yield* Effect.forkIn(
        Fiber.interrupt(live.fiber).pipe(
          // A store that does not answer loses the last of them, and does not keep the pipe from its end.
          Effect.andThen(Effect.ignore(metrics.save([live]))),
          Effect.ensuring(Effect.sync(() => ending.delete(id)))
        ),
        scope
      )
    }),

    start: Effect.fnUntraced(function* (listed: PipeAssignment, record: PipeRecord) {
      const { pipeId } = listed.address
      const pipe = { ...listed, state: record.pipe.state, version: versionOf(record.pipe) ?? listed.version }
      const session = metrics.session()
      const before = yield* metrics.begin(session, pipeId, beginsAnew(record))
      const begun = yield* Deferred.make<LivePipe>()
      const move = Effect.gen(function* () {
        const live = yield* Deferred.await(begun)
        live.end = yield* runPipe(context, pipe, record, {
          report: (status) =>
            Effect.sync(() => {
              live.status = status
            }),
          decided: forgetDecision(pipe),
          taken: (owner) => {
            live.owner = owner
          },
          opened: (source) => {
            live.source = source
          },
          configured: (reader) => {
            live.isOfObjects = reader._tag === "Ranges" && reader.sample._tag === "Object"
          }
        })
      })
      const live: LivePipe = {
        record,
        session,
        fiber: yield* Effect.forkIn(move, scope),
        version: pipe.version,
        before,
        owner: undefined,
        status: undefined,
        source: undefined,
        isOfObjects: before.rejectedObjects !== undefined,
        end: undefined,
        unableAt: undefined,
        reported: undefined,
        samples: [],
        load: undefined,
        lag: undefined,
        kept: undefined
      }
      running.set(pipeId, live)
      yield* Deferred.succeed(begun, live)
    })
  }
})
