import { type PipeAddress, Pipes } from "@headgate/core"
import { PipeDocuments } from "@headgate/core/adapter"
import { type Dialect, pipeCodec, renamePipeJson } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * Reads a pipe as the JSON text that goes on the wire in a dialect: the text that the store keeps, where it keeps text,
 * else what is written of the pipe.
 */
export const pipeTexts = Effect.fnUntraced(function* (dialect: Dialect) {
  const pipes = yield* Pipes
  const documents = yield* Effect.serviceOption(PipeDocuments)
  if (Option.isSome(documents)) {
    const onWire = renamePipeJson(dialect)
    return (address: PipeAddress) => Effect.map(documents.value.get(address), onWire)
  }
  const write = Schema.encodeEffect(Schema.fromJsonString(pipeCodec(dialect)))
  return (address: PipeAddress) => Effect.flatMap(pipes.get(address), (pipe) => Effect.orDie(write(pipe)))
})
