import { Pipe } from "@headgate/core"
import * as Schema from "effect/Schema"
import { decodeWork } from "../decodeWork.ts"

export const work = decodeWork({
  decode: Schema.decodeUnknownSync(Pipe),
  toDocument: Schema.encodeUnknownSync(Pipe)
})
