import type { CurrentRequest } from "../http/RequestLog.ts"
import { pathPattern } from "./Faults.ts"

/** A request, without secrets. */
export interface JournalRequest {
  /** When it arrived, as RFC 3339. */
  readonly time: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

/** The body of a request, without secrets. */
export interface JournalBody {
  /** In bytes. */
  readonly bodySize: number
  readonly body?: unknown
  /** Why a body is not shown. */
  readonly bodyOmitted?: string
}

/** How a request ended. */
export interface JournalEnd {
  readonly requestId: string | null
  /**
   * `answered`: the whole response was sent. `cut short`: a part of it. `dropped`: none of it. `client gone`: the client
   * closed the connection first; `status` is `null` if the request was not handled by then.
   */
  readonly outcome: "answered" | "client gone" | "cut short" | "dropped"
  /** The status of the response, sent or not; `null` if there was none. */
  readonly status: number | null
  /** The length of the response body in bytes; `null` if it is unknown. */
  readonly answerSize: number | null
  /** From the arrival of the request to its response. */
  readonly milliseconds: number
}

/** A request in the journal. */
export interface JournalEntry extends JournalRequest, Partial<JournalBody> {
  /** `null` until it is assigned. */
  readonly requestId: string | null
  /** The last four characters of the key ID, once it is authenticated. */
  readonly keyIdSuffix: string | null
  /** There if a session of the console used the key. */
  readonly console?: true
  /** The id of the fault rule that was applied. */
  readonly fault: string | null
  readonly outcome: JournalEnd["outcome"] | "in flight"
  readonly status: number | null
  readonly answerSize: number | null
  readonly milliseconds: number | null
}

/** The query of `GET /_admin/requests`. */
export interface JournalFilter {
  readonly method?: string | undefined
  /** A path pattern. */
  readonly path?: string | undefined
  readonly status?: number | undefined
  readonly limit?: number | undefined
}

/** Completes the entry of one request. */
export interface JournalEntryWriter {
  /** Takes the request id and the key ID from the current, as soon as it has them. */
  readonly setCurrent: (current: CurrentRequest) => void
  readonly setBody: (body: JournalBody) => void
  readonly setFault: (id: string) => void
  readonly end: (end: JournalEnd) => void
}

/** The latest requests, in the order of arrival. */
export interface Journal {
  /** Adds a request on arrival, so that requests without a response are in the journal too. */
  readonly add: (request: JournalRequest, url: string) => JournalEntryWriter
  readonly list: (filter: JournalFilter) => {
    /** The latest requests that match, newest last. */
    readonly requests: ReadonlyArray<JournalEntry>
    /** How many requests match. */
    readonly matched: number
    /** How many of the oldest requests were removed to make room, since the journal was cleared. */
    readonly forgotten: number
  }
  /** Removes all requests. Returns how many there were. */
  readonly clear: () => number
}

/** How many requests a journal holds. */
export const journalCapacity = 1000

interface StoredRequest {
  entry: JournalEntry
  current: CurrentRequest | undefined
  readonly url: string
}

const entryOf = ({ entry, current }: StoredRequest): JournalEntry => ({
  ...entry,
  requestId: current?.requestId ?? entry.requestId,
  keyIdSuffix: current?.keyIdSuffix.current ?? null,
  ...(current?.isSession.current === true ? { console: true as const } : {})
})

export const makeJournal = (capacity = journalCapacity): Journal => {
  let requests: Array<StoredRequest> = []
  let forgotten = 0

  return {
    add: (request, url) => {
      const stored: StoredRequest = {
        url,
        current: undefined,
        entry: {
          requestId: null,
          keyIdSuffix: null,
          ...request,
          fault: null,
          outcome: "in flight",
          status: null,
          answerSize: null,
          milliseconds: null
        }
      }
      requests.push(stored)
      if (requests.length > capacity) {
        requests.shift()
        forgotten++
      }
      const set = (fields: Partial<JournalEntry>) => {
        stored.entry = { ...stored.entry, ...fields }
      }
      return {
        setCurrent: (current) => {
          stored.current = current
        },
        setBody: set,
        setFault: (fault) => set({ fault }),
        end: set
      }
    },
    list: ({ limit = capacity, method, path, status }) => {
      const isPath = path === undefined ? () => true : pathPattern(path)
      const matching = requests.filter(
        ({ entry, url }) =>
          (method === undefined || entry.method === method) &&
          (status === undefined || entry.status === status) &&
          isPath(url)
      )
      return { requests: matching.slice(-limit).map(entryOf), matched: matching.length, forgotten }
    },
    clear: () => {
      const { length } = requests
      requests = []
      forgotten = 0
      return length
    }
  }
}
