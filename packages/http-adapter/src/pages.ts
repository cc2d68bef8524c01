import { UnexpectedResponse } from "@headgate/core"
import { looseStruct } from "@headgate/core/adapter"
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
  const page = Option.getOrUndefined(decodePage(body))
  const offset = Number(parameter?.[1] ?? 0) + (page?.data.length ?? 0)
  return page === undefined || page.data.length === 0 || offset >= page.meta.total ? undefined : ["offset", `${offset}`]
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
