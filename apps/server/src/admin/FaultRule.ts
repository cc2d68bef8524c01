import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

const Count = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: 1_000_000 }, { message: "Expected a whole number from 0 to 1000000" })
)

const Times = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 1_000_000 }, { message: "Expected a whole number from 1 to 1000000" })
)

/** A path pattern: see `pathPattern`. */
export const PathPattern = Schema.String.check(
  Schema.isPattern(/^\/[^?#]{0,999}$/u, { message: "Expected a path that begins with / and has no query" })
)

const maxDelay = Duration.minutes(10)

const decodeDelay = Schema.decodeUnknownOption(Schema.Union([Schema.DurationFromMillis, Schema.DurationFromString]))

/** The duration of milliseconds or of a text such as "2 seconds"; none for other texts and for more than 10 minutes. */
const delayOf = (input: number | string): Option.Option<Duration.Duration> =>
  Option.filter(
    decodeDelay(input),
    (delay) => Duration.isGreaterThanOrEqualTo(delay, Duration.zero) && Duration.isLessThanOrEqualTo(delay, maxDelay)
  )

const expectedDelay = 'Expected milliseconds or a text such as "2 seconds", at most 10 minutes'

const Delay = Schema.Union([Schema.Finite, Schema.String])
  .annotate({ message: expectedDelay })
  .check(Schema.makeFilter((input) => Option.isSome(delayOf(input)) || expectedDelay))

/** The duration of a delay that was validated. */
export const delayDuration = (delay: number | string | undefined): Duration.Duration =>
  delay === undefined ? Duration.zero : Option.getOrElse(delayOf(delay), () => Duration.zero)

/** The requests that a rule applies to: all of them, less what each field excludes. */
const FaultMatch = Schema.Struct({
  method: Schema.optionalKey(Schema.Literals(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
  path: Schema.optionalKey(PathPattern),
  /** How many matching requests pass before the rule applies. */
  after: Schema.optionalKey(Count),
  /** How often the rule applies; later requests pass. */
  times: Schema.optionalKey(Times),
  /** The probability that the rule applies to a request. */
  probability: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }, { message: "Expected a number from 0 to 1" }))
  )
})

// These headers frame the body: `truncate` and `malformed` change the framing.
const framing: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "connection"])

const headerIssue = (name: string, value: string): string | undefined => {
  if (framing.has(name.toLowerCase())) return "Expected another header: this one says how the answer is framed"
  if (!/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/u.test(name)) return "Expected the name of a header"
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value)
    ? undefined
    : "Expected no control character and none beyond latin1"
}

const FaultHeaders = Schema.Record(Schema.String, Schema.String).check(
  Schema.makeFilter((headers) =>
    Object.entries(headers).flatMap(([name, value]) => {
      const issue = headerIssue(name, value)
      return issue === undefined ? [] : [{ path: [name], issue }]
    })
  )
)

const effects = ["status", "drop", "truncate", "malformed"] as const
const delays = ["delay", "delayAnswer"] as const
const ofStatus = ["headers", "body", "handled"] as const

const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** A fault, and the requests that it applies to. */
export const FaultRule = Schema.Struct({
  /** The name of the rule in the journal and in the list of rules. Default: `#` and its position, from 1. */
  id: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\w.:-]{1,64}$/u, { message: "Expected 1 to 64 letters, digits or _ . : -" })
    )
  ),
  match: Schema.optionalKey(FaultMatch),
  /** The wait before the request is handled. A client that times out during it has changed nothing. */
  delay: Schema.optionalKey(Delay),
  /** The wait after the request was handled. A client that times out during it has had its effect. */
  delayAnswer: Schema.optionalKey(Delay),
  /** Respond with this status, without handling the request. */
  status: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 200, maximum: 599 }, { message: "Expected an HTTP status from 200 to 599" })
    )
  ),
  headers: Schema.optionalKey(FaultHeaders),
  /** The body of that response: a string is sent as text, anything else as JSON. Default: an error of the API. */
  body: Schema.optionalKey(Schema.Json),
  /** Handle the request before responding with that status. */
  handled: Schema.optionalKey(Schema.Boolean),
  /** Close the connection before the request is handled, or after it, in place of the response. */
  drop: Schema.optionalKey(Schema.Literals(["before", "after"])),
  /** Close the connection after half of the body, or after this many bytes of it. */
  truncate: Schema.optionalKey(
    Schema.Union([Schema.Literal(true), Count]).annotate({
      message: "Expected true, for half of the body, or a number of bytes"
    })
  ),
  /** Send a complete body of invalid JSON. */
  malformed: Schema.optionalKey(Schema.Literal(true))
}).check(
  Schema.makeFilter((rule) => {
    const alone = rule.status === undefined ? ofStatus.filter((field) => rule[field] !== undefined) : []
    if (alone.length > 0) return alone.map((field) => ({ path: [field], issue: "Expected a status beside it" }))
    const wanted = effects.filter((effect) => rule[effect] !== undefined)
    if (wanted.length > 1) return `Expected one of ${effects.join(", ")}, not ${wanted.join(" and ")}`
    if (wanted.length === 0 && delays.every((delay) => rule[delay] === undefined)) {
      return `Expected something to go wrong: ${[...delays, ...effects].join(", ")}`
    }
    return rule.body !== undefined && rule.status !== undefined && bodiless.has(rule.status)
      ? { path: ["body"], issue: `Expected none: an answer of status ${rule.status} has no body` }
      : undefined
  })
)
export type FaultRule = typeof FaultRule.Type

const maxRules = 1000

/** The document of `PUT /_admin/faults`. */
export const FaultRules = Schema.Struct({
  rules: Schema.Array(FaultRule).check(
    Schema.isMaxLength(maxRules, { message: `Expected at most ${maxRules} rules` }),
    Schema.makeFilter((rules) => {
      const ids = rules.map(({ id }) => id)
      return ids.flatMap((id, index) =>
        Predicate.isNotUndefined(id) && ids.indexOf(id) < index
          ? [{ path: [index, "id"], issue: `Expected another id than rules[${ids.indexOf(id)}] has` }]
          : []
      )
    })
  )
})
