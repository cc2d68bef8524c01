import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"

/** The members of a port that are calls: methods that return an effect, and effects. */
type Method<Port> = {
  readonly [Name in keyof Port]: CallOf<Port[Name]> extends never ? never : Name
}[keyof Port]

type CallOf<Member> = Extract<
  Member extends (...parameters: never) => infer Call ? Call : Member,
  Effect.Effect<unknown, unknown, unknown>
>

type ErrorOf<Port, Name extends Method<Port>> = Effect.Error<CallOf<Port[Name]>>

/** The errors that every method of a port may fail with. */
type CommonError<Port> = {
  readonly [Name in Method<Port>]: (error: ErrorOf<Port, Name>) => void
}[Method<Port>] extends (error: infer E) => void
  ? E
  : never

interface FaultOf<E> {
  /** Which call: 1 is the first call of `method` after the layer was built. Absent: every call. */
  readonly call?: number
  /** How long the call waits before it is made, on the `Clock`. `"Infinity"`: the call never returns. */
  readonly delay?: Duration.Input
  /** The call fails with this error and is not made: a write does not take effect. */
  readonly fail?: E
  /** The call is made, then it fails with this error whatever its result was: a write takes effect. */
  readonly loseAnswer?: E
}

/**
 * One fault of {@link Faulty}: which calls of a port it applies to, and what happens to them. `method` is a method of
 * the port, and `fail` and `loseAnswer` take only errors that this method may fail with. Without `method`, the fault
 * applies to every method, and `call` counts all calls.
 *
 * @example
 * ```ts
 * import { Conflict, type Dashboards } from "@headgate/core"
 * import type { Fault } from "@headgate/memory-adapter"
 *
 * export const secondCreateConflicts: Fault<Dashboards["Service"]> = {
 *   method: "create",
 *   call: 2,
 *   fail: new Conflict({ message: "a dashboard of this name exists" })
 * }
 * ```
 */
export type Fault<Port> =
  | ({ readonly method?: never } & FaultOf<CommonError<Port>>)
  | { readonly [Name in Method<Port>]: { readonly method: Name } & FaultOf<ErrorOf<Port, Name>> }[Method<Port>]

const applyFault = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  { delay, fail, loseAnswer }: FaultOf<E>
): Effect.Effect<A, E, R> => {
  const lost = loseAnswer === undefined ? undefined : Effect.fail(loseAnswer)
  const answer = lost === undefined ? call : Effect.matchEffect(call, { onSuccess: () => lost, onFailure: () => lost })
  const result = fail === undefined ? answer : Effect.fail(fail)
  return delay === undefined ? result : Effect.andThen(Effect.sleep(delay), result)
}

type AnyFault = { readonly method?: PropertyKey } & FaultOf<unknown>

const withFaults = <Port extends object>(port: Port, faults: ReadonlyArray<AnyFault>): Port => {
  const states = faults.map((fault) => ({ fault, calls: 0 }))

  // A retry runs the same effect again, so a call is counted when it runs.
  const withFaultsOf = (name: PropertyKey, call: Effect.Effect<unknown, unknown, unknown>) =>
    Effect.suspend(() => {
      const active = states.flatMap((state) => {
        const { fault } = state
        if (fault.method !== undefined && fault.method !== name) return []
        state.calls += 1
        return fault.call === undefined || fault.call === state.calls ? [fault] : []
      })
      // The first fault is the outermost.
      return active.reduceRight(applyFault, call)
    })

  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (Effect.isEffect(member)) return withFaultsOf(name, member)
      if (!Predicate.isFunction(member)) return member
      return (...parameters: ReadonlyArray<unknown>): unknown => {
        const call: unknown = Reflect.apply(member, target, parameters)
        return Effect.isEffect(call) ? withFaultsOf(name, call) : call
      }
    }
  })
}

const layer = <Identifier, Port extends object>(
  port: Context.Key<Identifier, Port>,
  faults: ReadonlyArray<Fault<NoInfer<Port>>>
): Layer.Layer<Identifier, never, Identifier> =>
  Layer.effect(
    port,
    Effect.map(port, (service) => withFaults(service, faults))
  )

/**
 * Faults for unit tests: `layer(port, faults)` is a port over the port that it is provided with, and applies the faults
 * to its calls. It works for every port: memory's, one of yours, or a client's. Calls are counted from when the layer
 * is built. If several faults apply to one call, the first one is outermost: `[{ delay: "2 seconds" }, { fail }]` waits
 * and then fails, and `[{ fail }, { delay: "2 seconds" }]` fails at once.
 *
 * @example
 * ```ts
 * import { ConnectionError, Dashboards, OrganizationId } from "@headgate/core"
 * import { Faulty, MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const id = OrganizationId.make("4f9c2b1e-0000-4000-8000-000000000001")
 *
 * // The first create takes effect, but its answer does not arrive.
 * const layer = Faulty.layer(Dashboards, [
 *   { method: "create", call: 1, loseAnswer: new ConnectionError({ message: "the connection was reset" }) }
 * ]).pipe(Layer.provide(MemoryAdapter.layer({ snapshot: { organizations: [{ id, name: "Acme" }] } })))
 *
 * // A retry of a create makes a second dashboard: this is why no adapter retries it by itself.
 * const names = Effect.gen(function* () {
 *   const dashboards = yield* Dashboards
 *   yield* Effect.retry(dashboards.create({ name: "Errors" }), { times: 1 })
 *   return (yield* dashboards.list()).map(({ name }) => name)
 * })
 * console.log(await Effect.runPromise(Effect.provide(names, layer))) // [ 'Errors', 'Errors' ]
 * ```
 */
export const Faulty = { layer }
