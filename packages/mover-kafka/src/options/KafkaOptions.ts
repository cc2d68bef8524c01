import type { KafkaSource } from "@headgate/core"
import { type SourceError, SourceRefused } from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type VirtualColumn, virtualColumns } from "../message/virtualColumns.ts"

/** Where a partition that has not been read yet begins. A time: the first message with that timestamp or a later one. */
export type KafkaStart = "earliest" | "latest" | DateTime.Utc

/** A user of the brokers. */
export interface KafkaLogin {
  readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512"
  readonly username: string
  readonly password: Redacted.Redacted
}

/** What a source reads, and how it connects. */
export interface KafkaOptions {
  /** Each `host:port`. One that answers is enough: it names the others. */
  readonly brokers: ReadonlyArray<string>
  /** At least one. */
  readonly topics: ReadonlyArray<string>
  readonly start: KafkaStart
  /** Whether messages of aborted and open transactions are left out. */
  readonly isReadCommitted: boolean
  /** The virtual columns that each row has before the fields of its message. By default none: messages are rows unread. */
  readonly virtualColumns?: ReadonlyArray<VirtualColumn>
  /** What becomes of a message without a value: nothing, or a row without fields of its own. By default nothing. */
  readonly tombstones?: "skip" | "row"
  /** The consumer group to which offsets are committed, for tools that show the lag. Nothing reads them back. */
  readonly group?: string
  /** Encrypts the connections. `ca`: what verifies the brokers, in PEM, in place of the authorities that Node knows. */
  readonly tls?: { readonly ca?: string }
  readonly login?: KafkaLogin
  /**
   * The address to connect to for the host of a broker, or why there is none. Brokers name further hosts, so it is asked
   * before each connection. By default the host itself, as the system resolves it.
   */
  readonly resolve?: (host: string) => Effect.Effect<string, SourceError>
  /**
   * How many bytes of planned ranges are kept until they are read; what does not fit is fetched again. By default 64 MiB.
   * The memory of a source is this and four fetches, each of 1 MiB, or of one message if that is larger.
   */
  readonly bufferBytes?: number
}

const refuse = (field: string, message: string) =>
  Effect.fail(new SourceRefused({ path: `source.kafka.${field}`, message }))

const listOf = (list: string | null | undefined): ReadonlyArray<string> =>
  (list ?? "").split(",").flatMap((each) => each.trim() || [])

const mechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const

const broker = /^(?:\[[\da-f:.]+\]|[^\s:[\]/@]+)(?::\d{1,5})?$/iu

const minute = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/u

/** A date that the pattern allows and no calendar has is none. */
const timeOf = (text: string) => (minute.test(text) ? DateTime.make(`${text}:00Z`) : Option.none())

const startOf = ({ offset }: KafkaSource): Effect.Effect<KafkaStart, SourceRefused> => {
  switch (offset?.strategy ?? "from_beginning") {
    case "from_beginning":
      return Effect.succeed("earliest")
    case "from_latest":
      return Effect.succeed("latest")
    case "from_timestamp":
      return Option.match(timeOf(offset?.timestamp ?? ""), {
        onNone: () => refuse("offset.timestamp", "expected a UTC time as YYYY-MM-DDTHH:MM"),
        onSome: (time) => Effect.succeed(DateTime.toUtc(time))
      })
    default:
      return refuse("offset.strategy", `${offset?.strategy} is not one of from_beginning, from_latest, from_timestamp`)
  }
}

/** The user name and the password of a pipe. */
export type KafkaCredentials = Redacted.Redacted<{
  readonly username?: string | null | undefined
  readonly password?: string | null | undefined
}>

const loginOf = Effect.fnUntraced(function* (
  { authentication }: KafkaSource,
  credentials: KafkaCredentials | undefined
) {
  if (authentication === null || authentication === undefined) return undefined
  const mechanism = mechanisms.find((each) => each === authentication)
  if (mechanism === undefined) {
    return yield* refuse("authentication", `${authentication} is not served: use one of ${mechanisms.join(", ")}`)
  }
  const { password, username } = credentials === undefined ? {} : Redacted.value(credentials)
  if (username === null || username === undefined || password === null || password === undefined) {
    return yield* refuse("credentials", `${authentication} needs a username and a password`)
  }
  return { mechanism, username, password: Redacted.make(password) } satisfies KafkaLogin
})

const brokersOf = Effect.fnUntraced(function* (source: KafkaSource) {
  const brokers = listOf(source.brokers)
  if (brokers.length === 0) return yield* refuse("brokers", "name at least one broker, as host:port")
  const wrong = brokers.find((each) => !broker.test(each))
  return wrong === undefined ? brokers : yield* refuse("brokers", `expected host:port, and not ${wrong}`)
})

/**
 * The options for the source of a pipe. Connections are encrypted if the pipe authenticates or names a CA. Fails with
 * `SourceRefused` for what is not served, and names the field.
 */
export const kafkaOptionsOf = Effect.fnUntraced(function* (
  source: KafkaSource,
  more: {
    readonly credentials?: KafkaCredentials
    readonly isReadCommitted: boolean
    /** The fields of messages that the pipe wants: those that are virtual columns are added to each row. */
    readonly fields?: ReadonlyArray<string>
  }
) {
  const { caCertificate, consumerGroup, format, schemaRegistry } = source
  if (format !== "JSONEachRow") return yield* refuse("format", `${format} is not served: use JSONEachRow`)
  if (schemaRegistry !== null && schemaRegistry !== undefined) {
    return yield* refuse("schemaRegistry", "a schema registry is not served")
  }
  if (source.tombstoneMode !== null && source.tombstoneMode !== undefined) {
    return yield* refuse("tombstoneMode", "messages without a value are not served")
  }
  const brokers = yield* brokersOf(source)
  const topics = listOf(source.topics)
  if (topics.length === 0) return yield* refuse("topics", "name at least one topic")

  const start = yield* startOf(source)
  const login = yield* loginOf(source, more.credentials)
  const hasCa = caCertificate !== null && caCertificate !== undefined
  const options: KafkaOptions = {
    brokers,
    topics,
    start,
    isReadCommitted: more.isReadCommitted,
    virtualColumns: virtualColumns.filter((name) => more.fields?.includes(name)),
    ...(consumerGroup === null || consumerGroup === undefined ? {} : { group: consumerGroup }),
    ...(login === undefined ? {} : { login }),
    ...(login === undefined && !hasCa ? {} : { tls: hasCa ? { ca: caCertificate } : {} })
  }
  return options
})
