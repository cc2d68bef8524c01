import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { devNull, tmpdir } from "node:os"
import { join } from "node:path"

/** The errors of a process or a machine that has run out of something: another server may move what this one cannot. */
const codes: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "ENOMEM"])

/** How deep a cause is looked for. */
const mostCauses = 8

/** What this process has run out of, if that is why something failed. */
const codeIn = (error: unknown, depth = 0): string | undefined => {
  if (depth > mostCauses || !Predicate.isObject(error)) return undefined
  if (Predicate.hasProperty(error, "code") && Predicate.isString(error.code) && codes.has(error.code)) return error.code
  return Predicate.hasProperty(error, "cause") ? codeIn(error.cause, depth + 1) : undefined
}

/** What this process has run out of, if that is why a mover ended. */
export const ownFailure = <E>(cause: Cause.Cause<E>): string | undefined => {
  for (const reason of cause.reasons) {
    const found = codeIn(
      Cause.isDieReason(reason) ? reason.defect : Cause.isFailReason(reason) ? reason.error : undefined
    )
    if (found !== undefined) return found
  }
  return undefined
}

const tried = <A>(use: () => Promise<A>) => Effect.tryPromise({ try: use, catch: (error) => error })

/** How many files a mover may open when it starts: connections are such. */
const files = 8

const openFiles = Effect.forEach(
  Array.from({ length: files }),
  () =>
    Effect.acquireRelease(
      tried(() => open(devNull)),
      (file) => Effect.promise(() => file.close())
    ),
  { discard: true }
)

const writeSome = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    tried(() => mkdtemp(join(tmpdir(), "headgate-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  yield* tried(() => writeFile(join(folder, "file"), "x".repeat(4096)))
})

/** Opens some files and writes one. What this process has run out of; `undefined` for nothing. */
export const checkProcess: Effect.Effect<string | undefined> = Effect.andThen(openFiles, writeSome).pipe(
  Effect.scoped,
  Effect.as(undefined),
  Effect.catchCause((cause) => Effect.succeed(ownFailure(cause)))
)
