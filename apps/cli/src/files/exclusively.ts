import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { hostname } from "node:os"
import { UsageError } from "../error/CommandError.ts"
import { removeLeftovers } from "../usage/replaceFile.ts"
import { directoryError } from "../usage/writeFile.ts"

/** The name of the file with which a process claims a directory. */
const claimOf = (pid: number, host: string): string => `.headgate-${pid}@${host}`
const claim = /^\.headgate-(\d+)@(.+)$/

const ownHost = hostname().replaceAll(/[^\w.-]/g, "_")
const ownClaim = claimOf(process.pid, ownHost)

// Signal 0 tells only whether the process exists.
const isAlive = (pid: number): boolean =>
  Result.match(
    Result.try(() => process.kill(pid, 0)),
    {
      onFailure: (cause) => !(Predicate.hasProperty(cause, "code") && cause.code === "ESRCH"),
      onSuccess: () => true
    }
  )

/** Fails if another process claims the directory. Removes the claims of processes that were killed on this machine. */
const checkOthers = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const name of yield* files.readDirectory(directory)) {
    const [, pid, host] = claim.exec(name) ?? []
    if (pid === undefined || host === undefined || name === ownClaim) continue
    const file = path.join(directory, name)
    if (host === ownHost && !isAlive(Number(pid))) yield* files.remove(file, { force: true })
    else {
      return yield* new UsageError({
        message:
          `Another headgate changes ${directory}: process ${pid} on ${host}. Wait until it has ended. ` +
          `If it does not run any more, delete ${file}.`
      })
    }
  }
})

/**
 * Runs what reads and writes the lock file of a directory, unless another process does. Each process claims the directory with a
 * file of its own before it looks for those of others: of two at once, at least one fails. The file of a killed process is
 * removed by the next one on the same machine; nothing tells whether a process on another machine still runs.
 */
export const exclusively = <A, E, R>(directory: string, use: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = (yield* Path.Path).join(directory, ownClaim)
    const unusable = directoryError(directory)
    const claimed = Effect.andThen(checkOthers(directory), removeLeftovers(directory))
    return yield* Effect.acquireUseRelease(
      Effect.mapError(files.writeFileString(path, ""), unusable),
      () => Effect.andThen(Effect.catchTag(claimed, "PlatformError", unusable), use),
      () => Effect.ignore(files.remove(path, { force: true }))
    )
  })
