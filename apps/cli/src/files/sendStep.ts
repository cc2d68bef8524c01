import {
  ApiKeyCreate,
  ApiKeyId,
  ApiKeys,
  ApiKeyUpdate,
  DashboardCreate,
  DashboardId,
  Dashboards,
  DashboardUpdate,
  type InvalidRequest,
  PipeId,
  Pipes,
  type PortError,
  ScalingUpdate
} from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import { type Dialect, pipeCreateCodec, pipeUpdateCodec } from "@headgate/http-contract"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { UsageError } from "../error/CommandError.ts"
import { waitForActions } from "../pipe/waitForPipe.ts"
import type { Credentials } from "./keyCredentials.ts"
import { downStates, type ResourceKind } from "./kinds.ts"
import type { Members } from "./members.ts"
import { type Scope, serviceOf } from "./scope.ts"

/** Where requests are sent, the names in them, and how long to wait for a state. */
export interface Destination {
  readonly scope: Scope
  readonly dialect: Dialect
  readonly waitTimeout: Duration.Duration
}

/** What the service answered. */
export interface Answered {
  readonly id: string
  readonly name: string
}

type Creating = (credentials?: Credentials) => Effect.Effect<Answered, PortError>
type Changing = (id: string) => Effect.Effect<Answered, PortError>

/** Checks a request for a new resource, and returns what creates it. */
export const creation = Effect.fnUntraced(function* (
  kind: ResourceKind,
  { dialect, scope }: Omit<Destination, "waitTimeout">,
  request: Members
): Effect.fn.Return<Creating, InvalidRequest | UsageError, Pipes | ApiKeys | Dashboards> {
  if (kind === "dashboard") {
    const dashboards = yield* Dashboards
    const decoded = yield* decodeRequest(DashboardCreate)(request)
    return () => dashboards.create(decoded)
  }
  const service = yield* serviceOf(scope)
  if (kind === "pipe") {
    const pipes = yield* Pipes
    const decoded = yield* decodeRequest(pipeCreateCodec(dialect))(request)
    return () => pipes.create(service, decoded)
  }
  const keys = yield* ApiKeys
  const decoded = yield* decodeRequest(ApiKeyCreate)(request)
  return (credentials?: Credentials) =>
    Effect.map(
      keys.create(
        { organizationId: service.organizationId },
        {
          ...decoded,
          ...(credentials === undefined ? {} : { hashData: credentials.hashData })
        }
      ),
      ({ key }) => key
    )
})

/** Checks the changes of a resource, and returns what sends them. */
export const update = Effect.fnUntraced(function* (
  kind: ResourceKind,
  { dialect, scope }: Omit<Destination, "waitTimeout">,
  request: Members
): Effect.fn.Return<Changing, InvalidRequest | UsageError, Pipes | ApiKeys | Dashboards> {
  if (kind === "dashboard") {
    const dashboards = yield* Dashboards
    const decoded = yield* decodeRequest(DashboardUpdate)(request)
    return (id: string) => dashboards.update({ dashboardId: DashboardId.make(id) }, decoded)
  }
  const service = yield* serviceOf(scope)
  if (kind === "pipe") {
    const pipes = yield* Pipes
    const decoded = yield* decodeRequest(pipeUpdateCodec(dialect))(request)
    return (id: string) => pipes.update({ ...service, pipeId: PipeId.make(id) }, decoded)
  }
  const keys = yield* ApiKeys
  const decoded = yield* decodeRequest(ApiKeyUpdate)(request)
  return (id: string) => keys.update({ organizationId: service.organizationId, keyId: ApiKeyId.make(id) }, decoded)
})

const pipeAddress = (scope: Scope, id: string) =>
  Effect.map(serviceOf(scope), (service) => ({ ...service, pipeId: PipeId.make(id) }))

/** Checks the new size of a pipe, and returns what sends it. */
export const scaling = Effect.fnUntraced(function* ({ scope }: Pick<Destination, "scope">, request: Members) {
  const pipes = yield* Pipes
  const decoded = yield* decodeRequest(ScalingUpdate)(request)
  const service = yield* serviceOf(scope)
  return (id: string) => pipes.scale({ ...service, pipeId: PipeId.make(id) }, decoded)
})

export const remove = Effect.fnUntraced(function* (
  kind: ResourceKind,
  { scope }: Pick<Destination, "scope">,
  id: string
) {
  if (kind === "dashboard") return yield* (yield* Dashboards).delete({ dashboardId: DashboardId.make(id) })
  if (kind === "pipe") return yield* (yield* Pipes).delete(yield* pipeAddress(scope, id))
  const { organizationId } = yield* serviceOf(scope)
  return yield* (yield* ApiKeys).delete({ organizationId, keyId: ApiKeyId.make(id) })
})

/** Waits until a new pipe that is not started stands: before, it passes a state in which `stopped: true` is not true. */
export const awaitPaused = Effect.fnUntraced(function* ({ scope, waitTimeout }: Destination, id: string) {
  const address = yield* pipeAddress(scope, id)
  const pipe = yield* (yield* Pipes).get(address)
  yield* waitForActions(address, pipe, ["createPaused"], { wait: true, waitTimeout })
})

/** Stops a pipe and waits until it stands. */
export const stop = Effect.fnUntraced(function* ({ scope, waitTimeout }: Destination, id: string) {
  const address = yield* pipeAddress(scope, id)
  const pipe = yield* (yield* Pipes).setState(address, { command: "stop" })
  return yield* waitForActions(address, pipe, ["stop"], { wait: true, waitTimeout })
})

const goingDown: ReadonlyArray<string> = ["Stopping", "Pausing"]

/** Starts a pipe that stands. A change of tables may have started it. */
export const start = Effect.fnUntraced(function* ({ scope, waitTimeout }: Destination, id: string) {
  const pipes = yield* Pipes
  const address = yield* pipeAddress(scope, id)
  const pipe = yield* pipes.get(address)
  if (!downStates.includes(pipe.state)) return undefined
  if (goingDown.includes(pipe.state)) yield* waitForActions(address, pipe, ["stop"], { wait: true, waitTimeout })
  return yield* pipes.setState(address, { command: "start" })
})
