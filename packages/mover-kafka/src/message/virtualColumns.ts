import { addFields } from "@headgate/mover"
import * as Struct from "effect/Struct"
import type { KafkaMessage } from "./readMessages.ts"

/** What a virtual column holds, as JSON, with one character a byte in its texts. */
type Value = (message: KafkaMessage, place: { readonly topic: string; readonly partition: number }) => unknown

/** One character a byte: a key may be no text, and a String of the warehouse holds any bytes. */
const textOf = (bytes: Uint8Array | null | undefined) =>
  bytes === null || bytes === undefined
    ? null
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

/** A time as `DateTime64(3)` reads it, in UTC; null for one that no calendar has, since a producer may send any number. */
const timeOf = (millis: bigint) => {
  const time = new Date(Number(millis))
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace("T", " ").replace("Z", "")
}

const values = {
  _key: ({ key }) => textOf(key),
  _timestamp: ({ timestamp }) => timeOf(timestamp),
  _topic: (_, { topic }) => topic,
  _partition: (_, { partition }) => partition,
  // A text: a number of JSON holds integers up to 2^53.
  _offset: ({ offset }) => String(offset),
  _header_keys: ({ headers }) => headers.map(([name]) => textOf(name)),
  _header_values: ({ headers }) => headers.map(([, value]) => textOf(value) ?? ""),
  _raw_message: ({ value }) => textOf(value)
} satisfies Record<string, Value>

/** The name of a virtual column. */
export type VirtualColumn = keyof typeof values

/** The columns that a row may have beside the fields of its message, as the real service names them. */
export const virtualColumns: ReadonlyArray<VirtualColumn> = Struct.keys(values)

/** Makes a function that adds virtual columns to the object of a message. */
export const addVirtualColumns = (names: ReadonlyArray<VirtualColumn>) => {
  const columns = names.map((name) => [name, values[name] as Value] as const)
  return (
    row: Uint8Array,
    message: KafkaMessage,
    place: { readonly topic: string; readonly partition: number }
  ): Uint8Array =>
    addFields(
      row,
      columns.map(([name, valueOf]) => [name, valueOf(message, place)])
    )
}
