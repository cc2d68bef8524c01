import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { checkVersion, versionOf } from "../access/Version.ts"
import { Conflict, type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import { joinCredentials, sourceRules } from "./credentialFields.ts"
import type { ServiceAddress } from "../id/service.ts"
import { act, type PipeRecord, type PipeChange, pipeRefusals } from "./lifecycle.ts"
import { PipeCreate } from "./PipeCreate.ts"
import { PipeMover } from "./PipeMover.ts"
import { PipeSource } from "./PipeSource.ts"
import { checkCreate } from "./pipeRules.ts"

const validateRequest = validate(PipeCreate)

/** The request with which a simulated pipe would be created. */
const requestOf = ({ credentials = {}, pipe }: PipeRecord): PipeCreate => ({
  name: pipe.name,
  source: joinCredentials(pipe.source ?? {}, credentials),
  destination: pipe.destination ?? null,
  fieldMappings: pipe.fieldMappings ?? null,
  settings: pipe.settings ?? null
})

/** An import has no credentials. */
const giveFirst = "give it first with headgate pipe update NAME --file FILE (PATCH of the pipe)"

/**
 * The change that makes a simulated pipe a real one: it is bound to the warehouse that `PipeMover` names, and takes the path of a
 * new pipe. The pipe is as it was read, its credentials open. Fails with `InvalidRequest` where a new pipe would, with
 * `Conflict` if the pipe moves rows already or nothing moves rows here, and with `PreconditionFailed` if another version of it is
 * required; a source is asked after that.
 *
 * @example
 * ```ts
 * import type { ServiceAddress } from "@headgate/core"
 * import { pipeChanges, pipeLifecycle, type PipeRecord, type TransitionTime } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // What a store holds after `Pipes.adopt`.
 * export const adopted = (address: ServiceAddress, held: PipeRecord, start: TransitionTime) =>
 *   Effect.flatMap(pipeChanges.adopt(address, held), (change) => Effect.fromResult(pipeLifecycle.userChange(change)(held, start)))
 * ```
 */
export const adoptChange = Effect.fnUntraced(function* (address: ServiceAddress, record: PipeRecord) {
  yield* checkVersion(versionOf(record.pipe) ?? 1)
  const { checkDestination, warehouses } = yield* PipeMover
  if (record.warehouse !== undefined) return yield* new Conflict({ message: pipeRefusals.adopted })
  if (warehouses.size === 0) {
    return yield* new Conflict({ message: "this server has no warehouse to move rows to: start it with one" })
  }
  const request = yield* validateRequest(requestOf(record))
  const found = new IssueCollector()
  const kind = checkCreate(found, request)
  if (found.count > 0 || kind === undefined) {
    const secrets = kind === undefined ? [] : sourceRules[kind].credentials.map((path) => `source.${kind}.${path}`)
    return yield* invalidRequest(
      found.issues.map(({ message, path }) => ({
        path,
        message: secrets.some((secret) => `${path}.`.startsWith(`${secret}.`)) ? `${message}: ${giveFirst}` : message
      }))
    )
  }
  const warehouse = yield* checkDestination(address, request, record.pipe.id)
  if (warehouse === undefined) {
    const message = "this server simulates such pipes: see --simulate-unsupported"
    return yield* invalidRequest([{ path: `source.${PipeSource.kind(request.source)}`, message }])
  }
  const change: PipeChange<InvalidRequest | Conflict> = (held, start) =>
    held.warehouse === undefined
      ? act({ ...held, warehouse }, "create", start)
      : Result.fail(new Conflict({ message: pipeRefusals.adopted }))
  return change
})
