import { PipeSource } from "@headgate/core"
import type { MovingPipe } from "@headgate/core/adapter"
import { type Cleanup, Cleanups, retryCleanups, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { AllowedSources } from "./allowedSources.ts"
import { wantedFields } from "./SourceKind.ts"
import { sourceKinds } from "./sourceKinds.ts"

const loadTables = Effect.fnUntraced(function* (name: string) {
  const found = sourceKinds[name]
  if (found === undefined || found.missing?.() !== undefined) return undefined
  const kind = yield* Effect.promise(found.load)
  return "tables" in kind ? kind : undefined
})

const releaseWith = (allowed: AllowedSources) =>
  Effect.fnUntraced(function* (cleanup: Cleanup) {
    const kind = yield* loadTables(cleanup.kind)
    if (kind === undefined) {
      return yield* new SourceError({ message: `this server releases no sources of the kind ${cleanup.kind}` })
    }
    yield* kind.release(cleanup, allowed)
  })

/** Until then the mover of a deleted pipe has ended, which could otherwise make anew what is released. */
const afterMover = "3 seconds"

/**
 * Takes away what deleted pipes have made in their sources: first it is kept in the store, then it is tried until it is gone. Returns
 * what is to be called with a deleted pipe.
 */
export const releaseSources = Effect.fnUntraced(function* (cleanups: Cleanups["Service"], allowed: AllowedSources) {
  const release = releaseWith(allowed)
  const scope = yield* Effect.scope
  yield* Effect.forkScoped(Effect.provideService(retryCleanups(release), Cleanups, cleanups))

  const keep = Effect.fnUntraced(function* ({ credentials = {}, pipe }: MovingPipe) {
    const kind = yield* loadTables(PipeSource.kind(pipe.source))
    if (kind === undefined) return
    const read = {
      source: pipe.source ?? {},
      credentials,
      settings: pipe.settings ?? {},
      fields: wantedFields(pipe)
    }
    const cleanup = yield* kind.remains(pipe.id, read, allowed)
    yield* cleanups.add(cleanup)
    const first = release(cleanup).pipe(
      Effect.andThen(cleanups.remove(cleanup.pipeId)),
      Effect.catch(({ message }) =>
        Effect.andThen(
          Effect.logWarning(`pipe ${pipe.id} is deleted, and its source is released later: ${message}`),
          Effect.ignore(cleanups.markFailed(cleanup.pipeId, message))
        )
      )
    )
    yield* Effect.forkIn(Effect.andThen(Effect.sleep(afterMover), first), scope)
  })

  return (moving: MovingPipe) =>
    keep(moving).pipe(
      Effect.catch(({ message }) =>
        Effect.logError(`what the deleted pipe ${moving.pipe.id} has left in its source is not released: ${message}`)
      )
    )
})
