import type { EngineFailure } from "@headgate/clickhouse"
import { type CallError, FailedDependency, InvalidRequest, ServerError } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** The bounds that sentences name. */
export interface NamedLimits {
  readonly seconds: number
  readonly memory: number
  readonly rows: number
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MiB`

type Sentence = (limits: NamedLimits) => string

const less = "choose a shorter range, or a condition on what the table is sorted by"
const types: Sentence = () => "an expression does not fit the types of its columns, or a value cannot be converted"

// The engine's numbers of errors that a caller can do something about, and what is said of them.
const sentences: ReadonlyArray<readonly [codes: ReadonlyArray<number>, sentence: Sentence]> = [
  [[159, 160], ({ seconds }) => `the query took longer than ${seconds} s: ${less}`],
  [
    [241, 173],
    ({ memory }) => `the query needs more than ${mebibytes(memory)} of memory: group by fewer values, or ${less}`
  ],
  [[158, 307], ({ rows }) => `the query reads more than ${rows} rows, or more bytes than it may: ${less}`],
  [
    [396, 191],
    () => "the answer has more rows or bytes than a chart takes: group by fewer values, or ask for fewer rows"
  ],
  [[47, 16, 8, 10], () => "a column of the query is not in its table"],
  [[60, 81], () => "the table of the query is not there any more"],
  [[46, 63], () => "the database does not know a function of the query"],
  [[34, 35, 42], () => "a function has too few or too many arguments"],
  [[184, 215, 819], () => "an aggregate stands where none may, or a column stands outside of one"],
  [[164], () => "a query may only read, and changes no settings"],
  [[427], () => "a pattern of a text cannot be read"],
  // Types, and values that are of no such type.
  [
    [
      6, 26, 27, 28, 36, 38, 41, 43, 44, 48, 53, 59, 68, 69, 70, 72, 125, 128, 131, 153, 190, 321, 349, 386, 407, 441,
      467, 675, 676, 691
    ],
    types
  ],
  [[62, 167, 168, 306], () => "the query is too long or too deep, or is not one query"]
]

const said = new Map(sentences.flatMap(([codes, sentence]) => codes.map((code) => [code, sentence] as const)))

/** The user of queries lacks a right, its password is wrong, or its profile refuses a limit. */
const ofUser: Readonly<Record<number, string>> = {
  115: "the database is too old: it lacks a setting that queries of charts need",
  452: "the user of queries may not set the limits that each query sets: it needs a profile without readonly = 1, which each query sets itself",
  497: "the user of queries lacks a grant: it needs SELECT on the table",
  516: "the database refuses the user of queries or its password"
}

const busy = new Set([202, 252])
const cancelled = 394

const callError = (code: number | undefined, limits: NamedLimits): CallError => {
  if (code === undefined) return new FailedDependency({ message: "the database of the charts does not answer" })
  const user = ofUser[code]
  if (user !== undefined) return new FailedDependency({ message: user })
  if (busy.has(code)) {
    return new ServerError({ message: "the database has too many queries at work", retryAfter: Duration.seconds(2) })
  }
  if (code === cancelled)
    return new ServerError({ message: "another user of the database has ended the query: try it again" })
  const message =
    said.get(code)?.(limits) ??
    `the database refuses the query, with its error ${code}: the log of this server has its text`
  return new InvalidRequest({ message, issues: [] })
}

/**
 * What a failure of a query is to the caller, in words of this program. The engine's own text may name paths, versions and other tables:
 * it is only logged, as a warning where the caller gets little of it.
 */
export const queryFailure = (
  { code, message }: EngineFailure,
  limits: NamedLimits
): Effect.Effect<never, CallError> => {
  const text = `a query of a chart failed: ${code === undefined ? "" : `${code}: `}${message}`
  const log = code !== undefined && said.has(code) ? Effect.logDebug(text) : Effect.logWarning(text)
  return Effect.andThen(log, Effect.fail(callError(code, limits)))
}
