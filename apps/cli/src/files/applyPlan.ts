import { IfMatch, type PortError, PreconditionFailed, versionOf } from "@headgate/core"
import { IdempotencyKey } from "@headgate/http-adapter"
import * as Console from "effect/Console"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Output from "../output/Output.ts"
import { type Credentials, credentialsFor } from "./keyCredentials.ts"
import type { Match } from "./matchResources.ts"
import { digestOf, type Members } from "./members.ts"
import { openLock } from "./openLock.ts"
import type { Change, Plan } from "./plan.ts"
import { nameOf, subjectOf } from "./planText.ts"
import { prepareChange, type PreparedChange } from "./prepareChange.ts"
import { remoteResource } from "./remoteResources.ts"
import { type Answered, awaitPaused, remove, start, stop } from "./sendStep.ts"
import type { Target } from "./target.ts"

/** The resource that the steps of a change are about. */
interface Subject {
  readonly id: string
  /** The version that it must have. */
  readonly version: number | undefined
  readonly answered?: Answered
}

const words = {
  create: { now: "creating", done: "created" },
  update: { now: "updating", done: "updated" },
  replace: { now: "replacing", done: "replaced" },
  delete: { now: "deleting", done: "deleted" }
}

const note = (text: string) =>
  Effect.flatMap(Output.format, (format) => (format === "table" ? Output.note(text) : Effect.void))

const stale = (change: Change) => (error: PreconditionFailed) =>
  new PreconditionFailed({
    ...error,
    message: `the plan is stale: ${nameOf(change)} has changed since it was read. Run the command again for a new plan`
  })

/** Creates the resource of a file: at most once, however often a run is killed. */
const create = Effect.fnUntraced(function* (
  lock: ReturnType<typeof openLock>,
  match: Match,
  request: Members,
  send: (credentials?: Credentials) => Effect.Effect<Answered, PortError>,
  secrets: string | undefined
) {
  const random = yield* SecureRandom.SecureRandom
  const begun = match.entry?.creation ?? (yield* random.uuidV4())
  yield* lock.begin(match, begun)
  const stored = secrets === undefined ? undefined : yield* credentialsFor(secrets, match.file.file)
  // Of the same request it is the same key. A service that honours it answers a repeat as it answered the first.
  const key = `headgate-${digestOf({ begun, request, hashes: stored?.credentials.hashData })}`
  const answered = yield* Effect.provideService(send(stored?.credentials), IdempotencyKey, key)
  yield* lock.acknowledge(match, answered.id)
  if (stored !== undefined) yield* note(`The credentials of ${match.file.name} are in ${stored.path}.`)
  return answered
})

/** Notes what was applied, and what the service has filled in, to tell them from later changes. */
const noteApplied = Effect.fnUntraced(function* (
  { dialect }: Target,
  lock: ReturnType<typeof openLock>,
  match: Match,
  answered: Answered
) {
  if (match.file.kind !== "dashboard") return yield* lock.apply(match, undefined)
  const { value } = yield* remoteResource("dashboard", dialect, answered)
  const digests = { document: digestOf(match.file.value), answer: digestOf(value) }
  yield* lock.apply(match, digests.document === digests.answer ? undefined : digests)
})

/** Sends the steps of a change one after another, each with the version that the answer before it had. */
const applyChange = (target: Target, lock: ReturnType<typeof openLock>, waitTimeout: Duration.Duration) => {
  const destination = { ...target, waitTimeout }
  return Effect.fnUntraced(function* ({ change, secrets, steps }: PreparedChange) {
    const { kind, name } = subjectOf(change)
    let subject: Subject =
      change.action === "create"
        ? { id: "", version: undefined }
        : { id: change.remote.id, version: change.remote.version }
    const proceed = (answered: Answered | undefined) => {
      if (answered === undefined) return
      subject = { id: answered.id, version: versionOf(answered) ?? subject.version, answered }
    }
    for (const step of steps) {
      const conditional = Effect.provideService(IfMatch, subject.version)
      if (step.type === "delete") yield* conditional(remove(kind, target, subject.id))
      else if (step.type === "stop") proceed(yield* conditional(stop(destination, subject.id)))
      else if (step.type === "start") proceed(yield* conditional(start(destination, subject.id)))
      else if (step.type !== "create") proceed(yield* conditional(step.send(subject.id)))
      else if (change.action !== "delete") {
        subject = { id: "", version: undefined }
        proceed(yield* create(lock, change.match, step.request, step.send, secrets))
        if (step.request["startPaused"] === true) yield* awaitPaused(destination, subject.id)
      }
    }
    if (change.action === "delete") yield* lock.forget(change.remote)
    else if (subject.answered !== undefined) yield* noteApplied(target, lock, change.match, subject.answered)
    return { action: change.action, kind, name, id: subject.id }
  })
}

interface ApplyOptions {
  /** Where the credentials of new keys are written. */
  readonly secretsDirectory: string | undefined
  /** How long to wait for a state of a pipe. */
  readonly waitTimeout: Duration.Duration
}

/**
 * Carries out a plan. A run that is killed at any point leaves what the next run needs to complete it, and nothing is created
 * twice. Fails with `PreconditionFailed` if a resource has changed since the plan was made.
 */
export const applyPlan = Effect.fnUntraced(function* (
  target: Target,
  { changes, unchanged }: Plan,
  { secretsDirectory, waitTimeout }: ApplyOptions
) {
  const prepared = yield* Effect.forEach(changes, prepareChange(target, secretsDirectory))
  const lock = openLock(target, unchanged)
  const run = applyChange(target, lock, waitTimeout)
  const results: Array<Effect.Success<ReturnType<typeof run>>> = []
  const current = () => changes[results.length]
  const made = () => `${results.length} of ${changes.length} changes were made.`

  const all = Effect.gen(function* () {
    yield* lock.save()
    for (const one of prepared) {
      results.push(yield* Effect.catchTag(run(one), "PreconditionFailed", (error) => stale(one.change)(error)))
      yield* note(`${words[one.change.action].done} ${nameOf(one.change)}`)
    }
    return results
  })
  return yield* all.pipe(
    Effect.tapError(() => {
      const change = current()
      return change === undefined
        ? Effect.void
        : note(`${made()} The next, ${words[change.action].now} ${nameOf(change)}, failed.`)
    }),
    Effect.onInterrupt(() => {
      const change = current()
      const what = change === undefined ? "" : ` while ${words[change.action].now} ${nameOf(change)}`
      return Console.error(`Interrupted${what}. ${made()} Run the command again to complete them.`)
    })
  )
})
