import {
  type CallError,
  Conflict,
  type DiscoveredSchema,
  InvalidRequest,
  ListedPipeStatus,
  type Pipe,
  type PipeAddress,
  type PipeEvent,
  type PipeNotFound,
  Pipes,
  type ServiceAddress,
  versionOf
} from "@headgate/core"
import { isAuthorized, type Principal } from "@headgate/core/adapter"
import { type Dialect, type Operations, pipeCodec, renamePipeJson, renameRefusal } from "@headgate/http-contract"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { calledBy } from "../access/calledBy.ts"
import { encodedList, JsonList, JsonText } from "../http/envelope.ts"
import { handlersOf } from "../http/handlersOf.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/** Reads pipes as the JSON text that the store holds, without decoding it. */
const storedPipes = (stored: StoredDocuments["Service"], dialect: Dialect) => {
  const rename = renamePipeJson(dialect)
  return {
    list: (address: ServiceAddress) => {
      const readPage = stored.pipes(address)
      return Effect.succeed(
        new JsonList((after) =>
          Effect.map(readPage(after), ({ documents, next }) => ({ documents: documents.map(rename), next }))
        )
      )
    },
    statuses: (address: ServiceAddress) => Effect.succeed(new JsonList(stored.statuses(address))),
    get: (address: PipeAddress) =>
      Effect.map(stored.pipe(address), ({ document, version }) => new JsonText(rename(document), version))
  }
}

const encodeStatus = Schema.encodeSync(Schema.fromJsonString(ListedPipeStatus))

/** Reads pipes from the port and encodes each once: a pipe in memory is never changed, only replaced. */
const encodedPipes = (pipes: Pipes["Service"], dialect: Dialect) => {
  const encode = Schema.encodeSync(Schema.fromJsonString(pipeCodec(dialect)))
  const texts = new WeakMap<Pipe, string>()
  const textOf = (pipe: Pipe): string => {
    const text = texts.get(pipe) ?? encode(pipe)
    texts.set(pipe, text)
    return text
  }
  return {
    list: (address: ServiceAddress) => Effect.map(pipes.list(address), (all) => encodedList(all, textOf)),
    statuses: (address: ServiceAddress) => Effect.map(pipes.statuses(address), (all) => encodedList(all, encodeStatus)),
    get: (address: PipeAddress) => Effect.map(pipes.get(address), (pipe) => new JsonText(textOf(pipe), versionOf(pipe)))
  }
}

/** Renames the pipe in refusals, in whose texts clients look for certain words. */
const refusalsIn =
  (dialect: Dialect) =>
  <A>(call: Effect.Effect<A, PipeNotFound | CallError>) =>
    Effect.catchTags(call, {
      InvalidRequest: ({ issues, message }) =>
        Effect.fail(new InvalidRequest({ issues, message: renameRefusal(dialect, message) })),
      Conflict: ({ message }) => Effect.fail(new Conflict({ message: renameRefusal(dialect, message) }))
    })

/** The events of a pipe as a caller may see them: who may not read keys sees none. */
export const shownEvents = (events: ReadonlyArray<PipeEvent>, principal: Principal): ReadonlyArray<PipeEvent> =>
  isAuthorized(principal, "key:read") ? events : events.map((event) => ({ ...event, key: null }))

/** What was discovered as a caller may see it: who may not read rows sees none. */
const shownSchema = (found: DiscoveredSchema, principal: Principal): DiscoveredSchema =>
  isAuthorized(principal, "data:read") ? found : Struct.omit(found, ["samples"])

/** The pipe operations over the `Pipes` port. Contract: docs/wire-contract.md#read-a-pipe. */
export const pipeHandlers = Effect.fnUntraced(function* (dialect: Dialect, table: Operations["pipe"]) {
  const pipes = yield* Pipes
  const stored = yield* Effect.serviceOption(StoredDocuments)
  const reads = Option.isSome(stored) ? storedPipes(stored.value, dialect) : encodedPipes(pipes, dialect)
  const refusals = refusalsIn(dialect)
  const changed = (principal: Principal, call: Effect.Effect<Pipe, PipeNotFound | CallError>) =>
    calledBy(principal)(refusals(call))
  const handlers: Handlers<typeof table> = {
    ...handlersOf(table, () => pipes),
    list: ({ params }) => reads.list(params),
    statuses: ({ params }) => reads.statuses(params),
    get: ({ params }) => reads.get(params),
    create: ({ params, payload, principal }) => calledBy(principal)(pipes.create(params, payload)),
    update: ({ params, payload, principal }) => changed(principal, pipes.update(params, payload)),
    setState: ({ params, payload, principal }) => changed(principal, pipes.setState(params, payload)),
    resume: ({ params, payload, principal }) => changed(principal, pipes.resume(params, payload)),
    adopt: ({ params, principal }) => changed(principal, pipes.adopt(params)),
    discoverSchema: ({ params, payload, principal }) =>
      Effect.map(pipes.discoverSchema(params, payload), (found) => shownSchema(found, principal)),
    events: ({ params, payload, principal }) =>
      Effect.map(pipes.events(params, payload), (events) => shownEvents(events, principal))
  }
  return handlers
})
