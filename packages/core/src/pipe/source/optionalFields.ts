import * as Schema from "effect/Schema"
import { nullish } from "../../schema/LooseStruct.ts"
import { knownString } from "../../schema/fieldSchemas.ts"

/** A text that may be absent or `null`. */
export const text = (description: string) => nullish(Schema.String, description)

/** A list of texts that may be absent or `null`. */
export const texts = (description: string) => nullish(Schema.Array(Schema.String), description)

/** A boolean that may be absent or `null`. */
export const flag = (description: string) => nullish(Schema.Boolean, description)

/** An integer that may be absent or `null`. */
export const integer = (description: string) => nullish(Schema.Int, description)

/** A text with known values that may be absent or `null`. */
export const known = <const Values extends ReadonlyArray<string>>(values: Values, description: string) =>
  nullish(knownString(values), description)
