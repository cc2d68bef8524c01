import { looseStruct, withIdentifier } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"

/** The most elements of a page, and how many it has unless the request says so. */
export const maxPage = 1000

/** A whole number in a query. */
const wholeNumber = (min: number, max: number) => {
  const message = `Expected a whole number from ${min} to ${max}`
  return Schema.NumberFromString.check(
    Schema.isInt({ message }),
    Schema.isBetween({ minimum: min, maximum: max }, { message })
  ).annotate({ message })
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

/** Which part of a list a page is. */
export const PageMeta = looseStruct({
  total: Schema.Int.annotate({ description: "How many elements the whole list has." }),
  limit: Schema.Int.annotate({ description: "The most elements of this page." }),
  offset: Schema.Int.annotate({ description: "How many elements are before this page." })
}).pipe(withIdentifier("PageMeta", "Which part of a list the response holds."))
