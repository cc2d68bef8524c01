import { UnexpectedResponse } from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
import { maxPage } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Call, errorContext } from "./Attempt.ts"
import { ReceivedElements } from "./ReceivedElements.ts"

// 100,000 elements in the largest pages: a service that promises more and more is not followed for ever.
const maxPages = 100

const decodePage = Schema.decodeUnknownOption(
  looseStruct({ data: Schema.Array(Schema.Unknown), meta: looseStruct({ total: Schema.Int }) })
)

// The management API does not tell how many there are: a page that is not full is the last one.
const decodeBarePage = Schema.decodeUnknownOption(looseStruct({ result: Schema.Array(Schema.Unknown) }))

const decodeCursorPage = Schema.decodeUnknownOption(looseStruct({ nextCursor: Schema.NonEmptyString }))

/** The parameter of the query for the page of a list. */
type PageParameter = readonly [name: "offset" | "cursor", value: string]

/** The parameter of the next page of a list. `deadlineAt` is that of the whole list. */
export const NextPage = Context.Reference<
  { readonly parameter: PageParameter; readonly deadlineAt: number } | undefined
>("@headgate/http-adapter/NextPage", { defaultValue: () => undefined })

/** The parameter of the page after an answer, if the answer tells that there is one. */
type FindNextPage = (body: unknown, parameter: PageParameter | undefined) => PageParameter | undefined

export const nextOffset: FindNextPage = (body, parameter) => {
  const start = Number(parameter?.[1] ?? 0)
  const page = Option.getOrUndefined(decodePage(body))
  const bare = Option.getOrUndefined(decodeBarePage(body))
  const length = page?.data.length ?? bare?.result.length ?? 0
  const isLast = page === undefined ? length < maxPage : length === 0 || start + length >= page.meta.total
  return isLast ? undefined : ["offset", `${start + length}`]
}

export const nextCursor: FindNextPage = (body) => {
  const page = Option.getOrUndefined(decodeCursorPage(body))
  return page === undefined ? undefined : ["cursor", page.nextCursor]
}

/** A page of a list, the call that it answers, and the body of the answer. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly call: Call
  readonly body: unknown
}

/** Reads a list that comes in pages to its end. A service that does not tell that there are more has sent all of it. */
export const readPages = <Args extends ReadonlyArray<unknown>, Item, Failure>(
  readPage: (...args: Args) => Effect.Effect<Page<Item>, Failure>,
  findNext: FindNextPage
) =>
  Effect.fnUntraced(function* (...args: Args) {
    const received = yield* ReceivedElements
    const all: Array<Item> = []
    const elements: Array<unknown> = []
    let next: typeof NextPage.Service = undefined
    for (let pages = 1; ; pages++) {
      const { body, call, items }: Page<Item> = yield* Effect.provideService(readPage(...args), NextPage, next)
      for (const item of items) all.push(item)
      if (received !== undefined) {
        for (const element of MutableRef.get(received)) elements.push(element)
        MutableRef.set(received, elements)
      }
      const parameter = findNext(body, next?.parameter)
      if (parameter === undefined) return all
      if (pages === maxPages) {
        const message = `the list is longer than ${maxPages} pages: its last answer had a next one`
        return yield* new UnexpectedResponse({ message, ...errorContext(call) })
      }
      next = { parameter, deadlineAt: call.deadlineAt }
    }
  })
