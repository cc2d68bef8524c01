import { looseStruct, withIdentifier } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** The most elements of a page, and how many it has unless the request says so. */
export const maxPage = 1000

/** A whole number in a query. */
const wholeNumber = (min: number, max: number, description?: string) => {
  const message = `Expected a whole number from ${min} to ${max}`
  const described = description === undefined ? {} : { description }
  // Not what else JavaScript takes for a number, such as "", "0x5" or "1e1".
  return Schema.String.check(Schema.isPattern(/^\d{1,16}$/, { message, ...described })).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }, { message })),
      SchemaTransformation.numberFromString
    ),
    Schema.annotate({ message, ...described })
  )
}

/**
 * The query of a list that comes in pages: how many elements, and how many before them to skip.
 *
 * @example
 * ```ts
 * import { PageQuery } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * console.log(Schema.decodeUnknownSync(PageQuery)({ limit: "10" })) // { limit: 10 }
 * ```
 */
export const PageQuery = Schema.Struct({
  limit: Schema.optionalKey(wholeNumber(1, maxPage)),
  offset: Schema.optionalKey(wholeNumber(0, Number.MAX_SAFE_INTEGER))
})

/**
 * The query of a list that begins with the newest: how many elements, and the `position` of the one before which the page begins.
 *
 * @example
 * ```ts
 * import { beforeQuery } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * console.log(Schema.decodeUnknownSync(beforeQuery(200))({ limit: "10" })) // { limit: 10 }
 * ```
 */
export const beforeQuery = (maxLimit: number) =>
  Schema.Struct({
    before: Schema.optionalKey(
      Schema.String.check(Schema.isPattern(/^.{1,200}$/)).annotate({
        message: "Expected a position",
        description: "The `position` of an element: the next older ones are listed."
      })
    ),
    limit: Schema.optionalKey(wholeNumber(1, maxLimit, `The most elements: 1 to ${maxLimit}, the default.`))
  })

/** The largest number of elements in a page of {@link CursorQuery}, and the default. */
export const maxCursorPage = 250

/**
 * Where a page begins in a list that is sorted by the time of creation, then by id. It stays valid when the element with this time and
 * id is deleted.
 */
export interface CursorPosition {
  /** In milliseconds since the Unix epoch; -1 for an element that tells no time. */
  readonly createdAt: number
  readonly id: string
}

const Position = Schema.Struct({ createdAt: Schema.Int, id: Schema.NonEmptyString })

/** A {@link CursorPosition} as callers have it: a text to send back. */
export const Cursor = Schema.String.pipe(
  Schema.decodeTo(Schema.fromJsonString(Position), {
    decode: SchemaGetter.decodeBase64UrlString(),
    encode: SchemaGetter.encodeBase64Url<string>()
  })
).annotate({ message: "Expected the nextCursor of an answer" })

/**
 * The query of a list that comes in pages of a cursor: how many elements, and the `nextCursor` of the page before. A page that is too
 * large is cut.
 *
 * @example
 * ```ts
 * import { CursorQuery } from "@headgate/http-contract"
 * import * as Schema from "effect/Schema"
 *
 * console.log(Schema.decodeUnknownSync(CursorQuery)({ limit: "10" })) // { limit: 10 }
 * ```
 */
export const CursorQuery = Schema.Struct({
  limit: Schema.optionalKey(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  cursor: Schema.optionalKey(Cursor)
})

/** What stands beside the elements of a page of {@link CursorQuery}. */
export const cursorPageFields = {
  limit: Schema.Int.annotate({ description: "The most elements of this page." }),
  totalCount: Schema.NullOr(Schema.Int).annotate({ description: "How many elements the whole list has." }),
  nextCursor: Schema.NullOr(Schema.String).annotate({
    description: "The `cursor` of the next page; null on the last one."
  })
}

/** Which part of a list a page is. */
export const PageMeta = looseStruct({
  total: Schema.Int.annotate({ description: "How many elements the whole list has." }),
  limit: Schema.Int.annotate({ description: "The most elements of this page." }),
  offset: Schema.Int.annotate({ description: "How many elements are before this page." })
}).pipe(withIdentifier("PageMeta", "Which part of a list the response holds."))
