import { type DialectName, dialectNames, dialects } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Setting from "./Setting.ts"
import { dialect } from "./settings.ts"

const DialectName = Schema.Literals(dialectNames)

/** The dialect that names on the wire are spelled in. */
export const dialectInUse = Effect.gen(function* () {
  const given = yield* dialect.read
  const name: DialectName = Option.isNone(given) ? "neutral" : yield* Setting.decode(DialectName, given.value)
  return dialects[name]
})
