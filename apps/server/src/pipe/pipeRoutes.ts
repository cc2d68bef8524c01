import { type Pipe, type PipeAddress, Pipes } from "@headgate/core"
import { type Dialect, pipeCodec, type pipeOperations, renamePipeJson } from "@headgate/http-contract"
import { StoredDocuments } from "@headgate/sql-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { JsonText } from "../http/envelope.ts"
import type { Handlers } from "../http/operationRoutes.ts"

/**
 * Reads a pipe as JSON text in a dialect: the text that the store holds, where it holds text. Otherwise the pipe is
 * encoded; a pipe in memory is never changed, only replaced, so its text is kept with it.
 */
const pipeText = Effect.fnUntraced(function* (dialect: Dialect) {
  const stored = yield* Effect.serviceOption(StoredDocuments)
  if (Option.isSome(stored)) {
    const rename = renamePipeJson(dialect)
    return (address: PipeAddress) => Effect.map(stored.value.pipe(address), (text) => new JsonText(rename(text)))
  }
  const pipes = yield* Pipes
  const encode = Schema.encodeEffect(Schema.fromJsonString(pipeCodec(dialect)))
  const texts = new WeakMap<Pipe, JsonText>()
  return (address: PipeAddress) =>
    Effect.flatMap(pipes.get(address), (pipe) => {
      const known = texts.get(pipe)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(Effect.orDie(encode(pipe)), (text) => {
        const written = new JsonText(text)
        texts.set(pipe, written)
        return written
      })
    })
})

/** The pipe operations over the `Pipes` port. Contract: section 4.1. */
export const pipeHandlers = Effect.fnUntraced(function* (dialect: Dialect) {
  const pipes = yield* Pipes
  const textOf = yield* pipeText(dialect)
  const handlers: Handlers<ReturnType<typeof pipeOperations>> = {
    get: ({ params }) => textOf(params),
    delete: ({ params }) => pipes.delete(params)
  }
  return handlers
})
