import { Pipe } from "@headgate/core"
import * as Schema from "effect/Schema"

export const decode = Schema.decodeUnknownSync(Pipe)
