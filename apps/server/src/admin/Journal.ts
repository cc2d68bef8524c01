import type { CurrentExchange } from "../http/RequestLog.ts"
import { pathPattern } from "./Faults.ts"

/** What a request was, as far as it may be shown. */
export interface JournalRequest {
  /** RFC 3339, when it arrived. */
  readonly time: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** The body of a request as it is shown. */
export interface JournalBody {
  /** In bytes. */
  readonly bodySize: number
  readonly body?: unknown
  /** Why a body is not shown. */
  readonly bodyOmitted?: string
}

/** How an exchange ended. */
export interface JournalEnd {
  readonly requestId: string | null
  /**
   * `answered`: the answer was sent whole. `cut short`: a part of it. `dropped`: none of it. `client gone`: its client
   * closed the connection first, whether what it asked for was done by then or not: `status` is `null` if it was not.
   */
  readonly outcome: "answered" | "client gone" | "cut short" | "dropped"
  /** The status of the answer, if the server made one, sent or not. */
  readonly status: number | null
  /** The length of its body in bytes, where it is known. */
  readonly answerSize: number | null
  /** From arrival to answer. */
  readonly milliseconds: number
}

/** A request in the journal. */
export interface JournalEntry extends JournalRequest, Partial<JournalBody> {
  /** `null` until the request has one. */
  readonly requestId: string | null
  /** The last four characters of the key ID that was let in. */
  readonly keyIdSuffix: string | null
  /** The id of the fault rule that it got. */
  readonly fault: string | null
  readonly outcome: JournalEnd["outcome"] | "under way"
  readonly status: number | null
  readonly answerSize: number | null
  readonly milliseconds: number | null
}

/** Which requests are asked for. */
export interface JournalFilter {
  readonly method?: string | undefined
  /** A path pattern. */
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly limit?: number | undefined
}

/** Writes down what becomes of one request. */
export interface JournalPage {
  readonly known: (exchange: CurrentExchange) => void
  readonly body: (body: JournalBody) => void
  readonly fault: (id: string) => void
  readonly end: (end: JournalEnd) => void
}

/** The last requests, in the order of arrival. */
export interface Journal {
  /** A request has arrived. It is in the journal from here on, whether it is ever answered or not. */
  readonly open: (request: JournalRequest, url: string) => JournalPage
  readonly list: (filter: JournalFilter) => {
    /** The last of those that match, newest last. */
    readonly requests: ReadonlyArray<JournalEntry>
    /** How many match. */
    readonly matched: number
    /** How many have been forgotten since the journal was cleared, the oldest first, to make room. */
    readonly forgotten: number
  }
  /** Forgets all; answers how many there were. */
  readonly clear: () => number
}

/** How many requests a journal holds. */
export const journalCapacity = 1000

interface Kept {
  entry: JournalEntry
  exchange: CurrentExchange | undefined
  readonly url: string
}

const shown = ({ entry, exchange }: Kept): JournalEntry => ({
  ...entry,
  requestId: exchange?.requestId ?? entry.requestId,
  keyIdSuffix: exchange?.keyIdSuffix.current ?? null
})

/** An empty journal. */
export const makeJournal = (capacity = journalCapacity): Journal => {
  let kept: Array<Kept> = []
  let forgotten = 0

  return {
    open: (request, url) => {
      const page: Kept = {
        url,
        exchange: undefined,
        entry: {
          requestId: null,
          keyIdSuffix: null,
          ...request,
          fault: null,
          outcome: "under way",
          status: null,
          answerSize: null,
          milliseconds: null
        }
      }
      kept.push(page)
      if (kept.length > capacity) {
        kept.shift()
        forgotten++
      }
      const add = (fields: Partial<JournalEntry>) => {
        page.entry = { ...page.entry, ...fields }
      }
      return {
        known: (exchange) => {
          page.exchange = exchange
        },
        body: add,
        fault: (fault) => add({ fault }),
        end: add
      }
    },
    list: ({ limit = capacity, method, path, status }) => {
      const isPath = path === undefined ? () => true : pathPattern(path)
      const matching = kept.filter(
        ({ entry, url }) =>
          (method === undefined || entry.method === method) &&
          (status === undefined || entry.status === status) &&
          isPath(url)
      )
      return { requests: matching.slice(-limit).map(shown), matched: matching.length, forgotten }
    },
    clear: () => {
      const { length } = kept
      kept = []
      forgotten = 0
      return length
    }
  }
}
