import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import type { Pipe } from "./Pipe.ts"
import { sourceFieldAt, sourceRules, splitCredentials, withSourceField } from "./credentialFields.ts"
import { PipeId } from "../id/pipe.ts"
import { type ServiceAddress } from "../id/service.ts"
import { act, type TransitionTime } from "./lifecycle.ts"
import { PipeCreate } from "./PipeCreate.ts"
import { PipeMover } from "./PipeMover.ts"
import { checkCreate, isStreaming } from "./pipeRules.ts"
import { knownFieldsOf, refusal, refuseUnknown, UnknownFields } from "./unknownFields.ts"
import { type PipeSource, PipeSourceCreate, type PipeSourceName } from "./PipeSource.ts"

// A UUID needs no check.
const unchecked = { disableChecks: true }

/** What a streaming pipe has where the request says nothing. */
const defaultScaling = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 }

/** A source with the default of each setting that is absent or `null`, if its kind has defaults. */
const withDefaultSettings = (kind: PipeSourceName, source: PipeSource): PipeSource => {
  const { defaultSettings } = sourceRules[kind]
  if (defaultSettings === undefined) return source
  const path = `${kind}.settings`
  const settings = sourceFieldAt(source, path)
  const given = Predicate.isObject(settings) ? settings : {}
  const missing = Object.entries(defaultSettings).filter(([name]) => Predicate.isNullish(Reflect.get(given, name)))
  return withSourceField(source, path, { ...given, ...Object.fromEntries(missing) })
}

const validateRequest = validate(PipeCreate)

/**
 * Makes a new pipe from a request: on its first steps, with an id, without its credentials, and with the defaults of
 * its kind of source, bound to the warehouse that `PipeMover` names. Every adapter that stores pipes uses this rule. `id`, `serviceId`,
 * `state` and times in the request are ignored, and unknown fields of the source are handled by {@link UnknownFields}. Fails with `InvalidRequest`, which names each wrong field. Contract:
 * docs/wire-contract.md#create-a-pipe.
 *
 * A mover may ask the source over a network: an adapter calls this without a transaction, after it has found that the service runs.
 * `beforeAsked` runs when the request is valid and a mover is about to be asked: it checks the limits of the organization. In the
 * transaction of the creation the adapter checks both again.
 *
 * @example
 * ```ts
 * import type { PipeCreate, ServiceAddress } from "@headgate/core"
 * import { makePipe, StepLength } from "@headgate/core/adapter"
 * import * as Clock from "effect/Clock"
 * import * as Effect from "effect/Effect"
 *
 * export const create = Effect.fn("create")(function* (address: ServiceAddress, request: PipeCreate) {
 *   const start = { now: yield* Clock.currentTimeMillis, stepLength: yield* StepLength }
 *   return yield* makePipe(address, request, start)
 * })
 * ```
 */
export const makePipe = Effect.fnUntraced(function* <E = never>(
  address: ServiceAddress,
  request: PipeCreate,
  start: TransitionTime,
  beforeAsked: Effect.Effect<void, E> = Effect.void
) {
  const random = yield* SecureRandom
  const valid = yield* validateRequest(request)
  const found = new IssueCollector()
  // First: a misspelt field is missing under its own name, too.
  const isRefusing = (yield* UnknownFields) === "refuse"
  const refused = isRefusing ? refuseUnknown(found, knownFieldsOf(PipeSourceCreate), valid.source) : []
  const kind = checkCreate(found, valid)
  if (found.count > 0 || kind === undefined) return yield* refusal(found, refused)
  const { checkDestination, warehouses } = yield* PipeMover
  if (warehouses.size > 0) yield* beforeAsked
  // Also under an `Idempotency-Key`, where a creation is otherwise not interrupted.
  const warehouse = yield* Effect.interruptible(checkDestination(address, valid))
  const { source: sent, startPaused, ...fields } = valid
  const { credentials, source } = splitCredentials(sent)
  const createdAt = DateTime.makeUnsafe(Math.floor(start.now))
  const defaults = {
    scaling: { ...defaultScaling, ...fields.scaling },
    fieldMappings: fields.fieldMappings ?? [],
    settings: fields.settings ?? {}
  }
  const pipe: Pipe = {
    ...fields,
    ...(isStreaming(kind) ? defaults : {}),
    source: withDefaultSettings(kind, source),
    id: PipeId.make(yield* random.uuidV4(), unchecked),
    serviceId: address.serviceId,
    state: "Provisioning",
    createdAt,
    updatedAt: createdAt
  }
  const made = { pipe, credentials, ...(warehouse === undefined ? {} : { warehouse }) }
  return yield* Effect.fromResult(act(made, startPaused === true ? "createPaused" : "create", start))
})
