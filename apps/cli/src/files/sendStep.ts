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
  ScalingUpdate,
  type ServiceAddress
} from "@headgate/core"
import { decodeRequest } from "@headgate/core/adapter"
import { type Dialect, pipeCreateCodec, pipeUpdateCodec } from "@headgate/http-contract"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { waitForActions } from "../pipe/waitForPipe.ts"
import type { Credentials } from "./keyCredentials.ts"
import { downStates, type ResourceKind } from "./kinds.ts"
import type { Members } from "./members.ts"

/** Where requests are sent, the names in them, and how long to wait for a state. */
export interface Destination {
  readonly scope: ServiceAddress
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
): Effect.fn.Return<Creating, InvalidRequest, Pipes | ApiKeys | Dashboards> {
  if (kind === "dashboard") {
    const dashboards = yield* Dashboards
    const decoded = yield* decodeRequest(DashboardCreate)(request)
    return () => dashboards.create(decoded)
  }
  if (kind === "pipe") {
    const pipes = yield* Pipes
    const decoded = yield* decodeRequest(pipeCreateCodec(dialect))(request)
    return () => pipes.create(scope, decoded)
  }
  const keys = yield* ApiKeys
  const decoded = yield* decodeRequest(ApiKeyCreate)(request)
  return (credentials?: Credentials) =>
    Effect.map(
      keys.create(scope.organizationId, {
        ...decoded,
        ...(credentials === undefined ? {} : { hashData: credentials.hashData })
      }),
      ({ key }) => key
    )
})

/** Checks the changes of a resource, and returns what sends them. */
export const update = Effect.fnUntraced(function* (
  kind: ResourceKind,
  { dialect, scope }: Omit<Destination, "waitTimeout">,
  request: Members
): Effect.fn.Return<Changing, InvalidRequest, Pipes | ApiKeys | Dashboards> {
  if (kind === "dashboard") {
    const dashboards = yield* Dashboards
    const decoded = yield* decodeRequest(DashboardUpdate)(request)
    return (id: string) => dashboards.update(DashboardId.make(id), decoded)
  }
  if (kind === "pipe") {
    const pipes = yield* Pipes
    const decoded = yield* decodeRequest(pipeUpdateCodec(dialect))(request)
    return (id: string) => pipes.update(pipeAddress(scope, id), decoded)
  }
  const keys = yield* ApiKeys
  const decoded = yield* decodeRequest(ApiKeyUpdate)(request)
  return (id: string) => keys.update({ organizationId: scope.organizationId, keyId: ApiKeyId.make(id) }, decoded)
})

const pipeAddress = (scope: ServiceAddress, id: string) => ({ ...scope, pipeId: PipeId.make(id) })

/** Checks the new size of a pipe, and returns what sends it. */
export const scaling = Effect.fnUntraced(function* ({ scope }: Pick<Destination, "scope">, request: Members) {
  const pipes = yield* Pipes
  const decoded = yield* decodeRequest(ScalingUpdate)(request)
  return (id: string) => pipes.scale(pipeAddress(scope, id), decoded)
})

export const remove = Effect.fnUntraced(function* (
  kind: ResourceKind,
  { scope }: Pick<Destination, "scope">,
  id: string
) {
  if (kind === "dashboard") return yield* (yield* Dashboards).delete(DashboardId.make(id))
  if (kind === "pipe") return yield* (yield* Pipes).delete(pipeAddress(scope, id))
  return yield* (yield* ApiKeys).delete({ organizationId: scope.organizationId, keyId: ApiKeyId.make(id) })
})

/** Waits until a new pipe that is not started stands: before, it passes a state in which `stopped: true` is not true. */
export const awaitPaused = Effect.fnUntraced(function* ({ scope, waitTimeout }: Destination, id: string) {
  const pipe = yield* (yield* Pipes).get(pipeAddress(scope, id))
  yield* waitForActions(scope, pipe, ["createPaused"], { wait: true, waitTimeout })
})

/** Stops a pipe and waits until it stands. */
export const stop = Effect.fnUntraced(function* ({ scope, waitTimeout }: Destination, id: string) {
  const pipe = yield* (yield* Pipes).setState(pipeAddress(scope, id), { command: "stop" })
  return yield* waitForActions(scope, pipe, ["stop"], { wait: true, waitTimeout })
})

const goingDown: ReadonlyArray<string> = ["Stopping", "Pausing"]

/** Starts a pipe that stands. A change of tables may have started it. */
export const start = Effect.fnUntraced(function* ({ scope, waitTimeout }: Destination, id: string) {
  const pipes = yield* Pipes
  const address = pipeAddress(scope, id)
  const pipe = yield* pipes.get(address)
  if (!downStates.includes(pipe.state)) return undefined
  if (goingDown.includes(pipe.state)) yield* waitForActions(scope, pipe, ["stop"], { wait: true, waitTimeout })
  return yield* pipes.setState(address, { command: "start" })
})
