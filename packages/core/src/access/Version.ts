import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { PreconditionFailed } from "../error/CallError.ts"

// A resource is exactly what the contract shows, and has no field for its version.
const versions = new WeakMap<object, number>()

/**
 * Marks a resource that an adapter returns with its version: a counter of the changes that callers made, 1 after the
 * creation. Steps of the state machine and `usedAt` do not count. Returns the resource.
 *
 * @example
 * ```ts
 * import { type Pipe, versionOf } from "@headgate/core"
 * import { withVersion } from "@headgate/core/adapter"
 *
 * export const rename = (pipe: Pipe, name: string): Pipe => withVersion({ ...pipe, name }, (versionOf(pipe) ?? 0) + 1)
 * ```
 */
export const withVersion = <A extends object>(resource: A, version: number): A => {
  versions.set(resource, version)
  return resource
}

/**
 * The version of a resource that a port returned; `undefined` if the service tells none. A copy of a resource has no
 * version. Over HTTP it is the `ETag`.
 */
export const versionOf = (resource: object): number | undefined => versions.get(resource)

/**
 * The version that the resource must have for a change to it; `undefined` for any. Updates and deletes of every adapter
 * read it, and fail with `PreconditionFailed` if the version is another one. Over HTTP it is `If-Match`.
 *
 * @example
 * ```ts
 * import { IfMatch, type PipeAddress, Pipes, versionOf } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * // Deletes a pipe only if nobody has changed it since it was read.
 * export const deleteStopped = Effect.fn("deleteStopped")(function* (address: PipeAddress) {
 *   const pipes = yield* Pipes
 *   const pipe = yield* pipes.get(address)
 *   if (pipe.state !== "Stopped") return
 *   yield* pipes.delete(address).pipe(Effect.provideService(IfMatch, versionOf(pipe)))
 * })
 * ```
 */
export const IfMatch = Context.Reference<number | undefined>("@headgate/core/access/IfMatch", {
  defaultValue: () => undefined
})

/**
 * Fails with `PreconditionFailed` unless the resource has the version that {@link IfMatch} requires. A store calls it in
 * the transaction of the change.
 *
 * @example
 * ```ts
 * import { type PipeAddress, type PipeId, type Pipe, versionOf } from "@headgate/core"
 * import { checkVersion, notFound } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // `Pipes.delete` over a map. No yield between the check and the change, so no other fiber runs in between.
 * export const deleteFrom = (pipes: Map<PipeId, Pipe>) =>
 *   Effect.fn("delete")(function* (address: PipeAddress) {
 *     const pipe = pipes.get(address.pipeId)
 *     if (pipe === undefined) return yield* notFound("PipeNotFound", address)
 *     yield* checkVersion(versionOf(pipe) ?? 1)
 *     pipes.delete(address.pipeId)
 *   })
 * ```
 */
export const checkVersion = Effect.fnUntraced(function* (current: number) {
  const required = yield* IfMatch
  if (required === undefined || required === current) return
  return yield* new PreconditionFailed({
    message: `the version is ${current}, not ${required}: somebody has changed it, read it again`
  })
})
