import { decodeRequest } from "@headgate/core/adapter"
import {
  type AnyOperation,
  Cursor,
  type CursorPosition,
  CursorQuery,
  maxCursorPage,
  maxPage,
  PageQuery
} from "@headgate/http-contract"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { badRequest, type HttpProblem } from "./HttpProblem.ts"

/** A part of a list, and where it is in the list. */
export class Page {
  readonly items: ReadonlyArray<unknown>
  readonly meta: { readonly total: number; readonly limit: number; readonly offset: number }
  constructor(all: ReadonlyArray<unknown>, limit: number, offset: number) {
    this.items = all.slice(offset, offset + limit)
    this.meta = { total: all.length, limit, offset }
  }
}

/** A part of a list that is read from cursor to cursor. */
export class CursorPage {
  readonly items: ReadonlyArray<unknown>
  readonly meta: { readonly limit: number; readonly totalCount: number; readonly nextCursor: string | null }
  constructor(all: ReadonlyArray<unknown>, limit: number, cursor: CursorPosition | undefined) {
    const sorted = all
      .map((item) => ({ item, position: positionOf(item) }))
      .toSorted((one, other) => byPosition(one.position, other.position))
    const start = cursor === undefined ? 0 : sorted.findIndex(({ position }) => byPosition(position, cursor) > 0)
    const rest = start === -1 ? [] : sorted.slice(start)
    const page = rest.slice(0, limit)
    const last = rest.length > limit ? page.at(-1) : undefined
    this.items = page.map(({ item }) => item)
    this.meta = {
      limit,
      totalCount: all.length,
      nextCursor: last === undefined ? null : encodeCursor(last.position)
    }
  }
}

const encodeCursor = Schema.encodeSync(Cursor)

// A time alone is not enough: two elements may have the same.
const byPosition: Order.Order<CursorPosition> = Order.combine(
  Order.mapInput(Order.Number, ({ createdAt }) => createdAt),
  Order.mapInput(Order.String, ({ id }) => id)
)

/** Where an element stands. One that was imported may tell no time: it is older than the others. */
const positionOf = (item: unknown): CursorPosition => {
  const { createdAt, id }: { readonly createdAt?: unknown; readonly id?: unknown } = Predicate.isObject(item)
    ? item
    : {}
  return { createdAt: DateTime.isDateTime(createdAt) ? DateTime.toEpochMillis(createdAt) : -1, id: String(id) }
}

const decodeQuery = decodeRequest(PageQuery)
const decodeCursorQuery = decodeRequest(CursorQuery)

/** The query of a URL. Of a name that is given twice, the last value. */
export const queryOf = (url: string): { readonly [name: string]: string } => {
  const start = url.indexOf("?")
  return start === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(start + 1)))
}

type Cut = (value: unknown) => unknown

/** Reads which page of the list the caller asks for; any other operation answers as a whole. */
export const pageOf = ({
  hasCursor,
  isPaged
}: AnyOperation): ((request: HttpServerRequest) => Effect.Effect<Cut, HttpProblem>) => {
  if (hasCursor) {
    return ({ url }) =>
      Effect.mapBoth(decodeCursorQuery(queryOf(url)), {
        onFailure: badRequest("params"),
        onSuccess:
          ({ cursor, limit = maxCursorPage }): Cut =>
          (value) =>
            Array.isArray(value) ? new CursorPage(value, Math.min(limit, maxCursorPage), cursor) : value
      })
  }
  return isPaged
    ? ({ url }) =>
        Effect.mapBoth(decodeQuery(queryOf(url)), {
          onFailure: badRequest("params"),
          onSuccess:
            ({ limit = maxPage, offset = 0 }): Cut =>
            (value) =>
              Array.isArray(value) ? new Page(value, limit, offset) : value
        })
    : () => Effect.succeed((value) => value)
}
