import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Conflict, FailedDependency } from "../error/CallError.ts"
import { looseStruct, withIdentifier } from "../schema/LooseStruct.ts"

/** The states of a service. */
export const serviceStates = ["provisioning", "running", "idle", "awaking", "stopping", "stopped"] as const

/** A state of a service that a store moves. In a response, `state` may be any string. */
export const ServiceState = Schema.Literals(serviceStates)
export type ServiceState = typeof ServiceState.Type

const ServiceCommand = Schema.Literals(["awake", "start", "stop"])
type ServiceCommand = typeof ServiceCommand.Type

/** The request to change the state of a service. Contract: docs/wire-contract.md#services. */
export const ServiceStateChange = looseStruct({
  command: ServiceCommand.annotate({
    description: "What the service does: `awake` if it is idle, `start` if it is stopped, or `stop`."
  })
}).pipe(withIdentifier("ServiceStateChange", "The command for a service."))
export type ServiceStateChange = typeof ServiceStateChange.Type

// Total: what each command makes of each state; the same state means that nothing changes, `undefined` a conflict.
const moves: { readonly [Command in ServiceCommand]: { readonly [From in ServiceState]: ServiceState | undefined } } = {
  awake: {
    provisioning: "provisioning",
    running: "running",
    idle: "awaking",
    awaking: "awaking",
    stopping: undefined,
    stopped: undefined
  },
  start: {
    provisioning: "provisioning",
    running: "running",
    idle: "awaking",
    awaking: "awaking",
    stopping: undefined,
    stopped: "awaking"
  },
  stop: {
    provisioning: undefined,
    running: "stopping",
    idle: "stopping",
    awaking: "stopping",
    stopping: "stopping",
    stopped: "stopped"
  }
}

const following: { readonly [From in ServiceState]?: ServiceState } = {
  provisioning: "running",
  awaking: "running",
  stopping: "stopped"
}

/**
 * The state that a service enters by itself after one step in a passing state; `undefined` if it stays in the state.
 *
 * @example
 * ```ts
 * import { nextServiceState } from "@headgate/core/adapter"
 *
 * console.log(nextServiceState("awaking"), nextServiceState("idle")) // running undefined
 * ```
 */
export const nextServiceState = (state: ServiceState): ServiceState | undefined => following[state]

/**
 * The state of a service after a command. The same state: nothing changes, so repeats are harmless. Fails with
 * `Conflict` if the state does not allow the command. Contract: docs/wire-contract.md#services.
 *
 * @example
 * ```ts
 * import { moveService } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * console.log(await Effect.runPromise(moveService("idle", { command: "awake" }))) // awaking
 * console.log(await Effect.runPromise(moveService("running", { command: "awake" }))) // running
 * ```
 */
export const moveService = (
  state: ServiceState,
  { command }: ServiceStateChange
): Effect.Effect<ServiceState, Conflict> => {
  const moved = moves[command][state]
  return moved === undefined
    ? Effect.fail(new Conflict({ message: `the command ${command} is not possible. Current state: ${state}` }))
    : Effect.succeed(moved)
}

/**
 * Fails with `FailedDependency` unless the service runs. Every adapter that stores services calls it in each write under a
 * service and in schema discovery. Clients look for `Current state: idle` in the message, then wake the service and
 * repeat.
 *
 * @example
 * ```ts
 * import { checkServiceRuns, type KindRecords, notFound } from "@headgate/core/adapter"
 * import type { ServiceAddress } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // The first step of each write under a service.
 * export const requireRunning = Effect.fn("requireRunning")(function* (
 *   services: ReadonlyArray<KindRecords["services"]>,
 *   address: ServiceAddress
 * ) {
 *   const record = services.find(({ service }) => service.id === address.serviceId)
 *   if (record?.organizationId !== address.organizationId) return yield* notFound("ServiceNotFound", address)
 *   yield* checkServiceRuns(record.service.state)
 * })
 * ```
 */
export const checkServiceRuns = (state: string): Effect.Effect<void, FailedDependency> =>
  state === "running"
    ? Effect.void
    : Effect.fail(new FailedDependency({ message: `the service is not running. Current state: ${state}` }))
