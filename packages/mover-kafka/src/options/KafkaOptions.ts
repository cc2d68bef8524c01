import type { SourceError } from "@headgate/mover"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { VirtualColumn } from "../message/virtualColumns.ts"

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
