import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as IpInterface from "effect/net/IpInterface"
import * as IpNetwork from "effect/net/IpNetwork"

type FlagValue<F> = F extends Flag.Flag<infer A> ? A : never

/** The parsed values of a record of flags. */
export type FlagValues<Flags extends Record<string, Flag.Flag<unknown>>> = {
  readonly [Name in keyof Flags]: FlagValue<Flags[Name]>
}

/** What the error message of a flag for an id expects. */
export const expectedUuid = () => "a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"

/** The argument with the id of an existing resource. */
export const idArgument = <Id extends string>(noun: string, schema: Schema.Codec<Id, string>) =>
  Argument.String(`${noun}-id`).pipe(
    Argument.withDescription(`The id of the ${noun}, as \`list\` shows it`),
    Argument.filterMap(Schema.decodeUnknownOption(schema), expectedUuid)
  )

/** `--id`: the id of a resource that is added. {@link wantedId} reads it. */
export const newIdFlag = <Id extends string>(schema: Schema.Codec<Id, string>) =>
  Flag.String("id").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("Its id, a UUID; a random one if it is left out"),
    Flag.filterMap(Schema.decodeUnknownOption(schema), expectedUuid),
    Flag.optional
  )

/** The id of `--id`, or a random one. */
export const wantedId = Effect.fnUntraced(function* <Id extends string>(
  wanted: Option.Option<Id>,
  make: (uuid: string) => Id
) {
  const random = yield* SecureRandom
  return Option.isSome(wanted) ? wanted.value : make(yield* random.uuidV4())
})

const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/** Parses `500ms`, `5s` or `1m`; `undefined` for any other text. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? []
  const each = milliseconds[unit]
  return count === undefined || each === undefined ? undefined : Duration.millis(Number(count) * each)
}

/** Parses a CIDR block, or an address as a network of one. */
export const parseNetwork = (text: string): Option.Option<IpNetwork.IpNetwork> => {
  const prefixed = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`
  return Option.map(Result.getSuccess(IpInterface.fromString(prefixed)), IpNetwork.fromInterface)
}

/** Parses the origin of a web page: an http or https URL without a path, a query and a password. */
export const parseOrigin = (text: string): Option.Option<URL> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  return isOrigin ? Option.some(url) : Option.none()
}

/** At most `limit` requests in `window`. */
export interface RateLimit {
  readonly limit: number
  readonly window: Duration.Duration
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Parses `10/10s`, `20/m` or `1000/1h`; `undefined` for any other text. */
export const parseRateLimit = (text: string): RateLimit | undefined => {
  const [, limit, span = "1", unit = ""] = /^([1-9]\d{0,8})\/([1-9]\d{0,5})?([smh])$/.exec(text) ?? []
  const unitSeconds = seconds[unit]
  return limit === undefined || unitSeconds === undefined
    ? undefined
    : { limit: Number(limit), window: Duration.seconds(Number(span) * unitSeconds) }
}
