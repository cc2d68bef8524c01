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

/** The length of a delay, if it is one: milliseconds, or a text such as "2 seconds". */
const delayOf = (input: number | string): Option.Option<Duration.Duration> =>
  // Not every text is a duration: that is what is asked here.
  Option.filter(
    Duration.fromInput(input as Duration.Input),
    (delay) => Duration.isGreaterThanOrEqualTo(delay, Duration.zero) && Duration.isLessThanOrEqualTo(delay, maxDelay)
  )

const expectedDelay = 'Expected milliseconds or a text such as "2 seconds", at most 10 minutes'

const Delay = Schema.Union([Schema.Finite, Schema.String])
  .annotate({ message: expectedDelay })
  .check(Schema.makeFilter((input) => Option.isSome(delayOf(input)) || expectedDelay))

/** How long a checked delay is. */
export const delayDuration = (delay: number | string | undefined): Duration.Duration =>
  delay === undefined ? Duration.zero : Option.getOrElse(delayOf(delay), () => Duration.zero)

/** Which requests a rule is for; every one, where nothing is said. */
const FaultMatch = Schema.Struct({
  method: Schema.optionalKey(Schema.Literals(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
  path: Schema.optionalKey(PathPattern),
  /** How many matching requests go by before the rule takes hold. */
  after: Schema.optionalKey(Count),
  /** How often the rule is applied; from then on it lets everything go by. */
  times: Schema.optionalKey(Times),
  /** How likely it is that a request gets it. */
  probability: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }, { message: "Expected a number from 0 to 1" }))
  )
})

// These say how the answer is framed, which a fault of its own changes.
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

/** What goes wrong, and with which requests. */
export const FaultRule = Schema.Struct({
  /** How the journal and the list of rules call it; assigned where there is none. */
  id: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\w.:-]{1,64}$/u, { message: "Expected 1 to 64 letters, digits or _ . : -" })
    )
  ),
  match: Schema.optionalKey(FaultMatch),
  /** How long a request is held before anything is done with it: nothing has happened when its client gives up. */
  delay: Schema.optionalKey(Delay),
  /** How long an answer is held: what was asked for has happened when its client gives up. */
  delayAnswer: Schema.optionalKey(Delay),
  /** Answer this, and don't do what was asked for. */
  status: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 200, maximum: 599 }, { message: "Expected an HTTP status from 200 to 599" })
    )
  ),
  headers: Schema.optionalKey(FaultHeaders),
  /** A text is sent as it is, anything else as JSON. Absent: an error in the shape of the API. */
  body: Schema.optionalKey(Schema.Json),
  /** Do what was asked for all the same, before that status is answered. */
  handled: Schema.optionalKey(Schema.Boolean),
  /** Drop the connection before anything is done, or after all was done and in place of the answer. */
  drop: Schema.optionalKey(Schema.Literals(["before", "after"])),
  /** End the connection within the body, after half of it or after so many bytes. */
  truncate: Schema.optionalKey(
    Schema.Union([Schema.Literal(true), Count]).annotate({
      message: "Expected true, for half of the body, or a number of bytes"
    })
  ),
  /** Send a whole body of JSON that does not parse. */
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
