import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { demoRow, rejectedEvery, type RowStream, rowsUntil } from "../row/demoRow.ts"
import type { NumberedRows } from "./DemoSource.ts"

/** The rows of every topic begin here, long before any pipe. */
const beginning = Date.UTC(2025, 0, 1)

/** Rows a second of a topic. */
const rate = 200

/** Where a new pipe begins in a topic: at its first row, at the next one, or at that of a time in milliseconds since 1970. */
export type DemoStart = "first" | "next" | number

/** The rows of so many seconds are read: a server that was off for a night does not make the rows of that night. */
const usual = 15 * 60

/** Topics that lose their rows. Those of so many seconds are read by a pipe that begins; it has as long to read them. */
const losing: Readonly<Record<string, number>> = { logs: 10 }

const seedOf = (topic: string): number =>
  Array.from(topic).reduce((seed, letter) => (seed * 31 + (letter.codePointAt(0) ?? 0)) % 2 ** 31, 7)

/**
 * Rows go in segments, as those of brokers do: a pipe that begins at the first row does not lose it at once. A segment begins with rows that
 * a table takes.
 */
const topicRows = (topic: string, start: DemoStart): NumberedRows => {
  const stream: RowStream = { seed: seedOf(topic), start: beginning, rate }
  const losingRows = (losing[topic] ?? 0) * rate
  const segment = losingRows === 0 ? rejectedEvery : losingRows
  const rowsNow = Effect.map(Clock.currentTimeMillis, (now) => rowsUntil(stream, now))
  const before = (count: number) =>
    Effect.map(rowsNow, (rows) => Math.max(0, Math.floor((rows - count) / segment) * segment))
  return {
    rowAt: (row) => demoRow(stream, row),
    first: before(losingRows === 0 ? usual * rate : segment),
    end: rowsNow,
    ...(losingRows === 0 ? {} : { lost: before(2 * segment) }),
    ...(start === "first"
      ? {}
      : { start: start === "next" ? rowsNow : Effect.map(rowsNow, (rows) => Math.min(rows, rowsUntil(stream, start))) })
  }
}

/** Topics as a source: each has one partition, and is there under any name. */
export const demoTopics = (topics: ReadonlyArray<string>, start: DemoStart) => {
  const names = Array.from(new Set(topics)).toSorted()
  return {
    identity: Effect.succeed(`demo:${names.join(",")}`),
    partitions: new Map(names.map((topic) => [`${topic}/0`, topicRows(topic, start)]))
  }
}
