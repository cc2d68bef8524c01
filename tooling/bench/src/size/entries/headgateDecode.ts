import { Pipe } from "@headgate/core/pipe"
import * as Schema from "effect/Schema"

export const decode = Schema.decodeUnknownSync(Pipe)
