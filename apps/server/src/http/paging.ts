import { decodeRequest } from "@headgate/core/adapter"
import { type AnyOperation, maxPage, PageQuery } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
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

const decodeQuery = decodeRequest(PageQuery)

/** The query of a URL. Of a name that is given twice, the last value. */
const queryOf = (url: string): { readonly [name: string]: string } => {
  const start = url.indexOf("?")
  return start === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(start + 1)))
}

type Cut = (value: unknown) => unknown

/** Reads which page of the list the caller asks for; any other operation answers as a whole. */
export const pageOf = ({ isPaged }: AnyOperation): ((request: HttpServerRequest) => Effect.Effect<Cut, HttpProblem>) =>
  isPaged
    ? ({ url }) =>
        Effect.mapBoth(decodeQuery(queryOf(url)), {
          onFailure: badRequest("params"),
          onSuccess:
            ({ limit = maxPage, offset = 0 }): Cut =>
            (value) =>
              Array.isArray(value) ? new Page(value, limit, offset) : value
        })
    : () => Effect.succeed((value) => value)
