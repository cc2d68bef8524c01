import { type Range, RangeChanged } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The objects of a range, as they were listed. It is what the range is recorded with. */
const Detail = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      key: Schema.String,
      etag: Schema.String,
      isWeak: Schema.optionalKey(Schema.Boolean),
      size: Schema.Finite
    })
  )
)
export type PlannedObject = (typeof Detail.Type)[number]

const encode = Schema.encodeSync(Detail)
const decode = Schema.decodeEffect(Detail)

export const encodeDetail = (objects: ReadonlyArray<PlannedObject>): string =>
  encode(
    objects.map(({ etag, isWeak, key, size }) => ({ key, etag, ...(isWeak === undefined ? {} : { isWeak }), size }))
  )

export const decodeDetail = ({ detail = "", to }: Range) =>
  Effect.mapError(decode(detail), () => new RangeChanged({ message: `range ${to} was recorded without its objects` }))
