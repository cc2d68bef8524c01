import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { demoRow, rejectedEvery, type RowStream, rowsUntil } from "../row/demoRow.ts"
import type { NumberedRows } from "./DemoSource.ts"

/** The rows of every topic begin here, long before any pipe. */
const beginning = Date.UTC(2025, 0, 1)

/** Rows a second of a topic. */
const rate = 200

/** Where a new pipe begins in a topic: at its first row, at the next one, or at that of a time in milliseconds since 1970. */
export type DemoStart = "first" | "next" | number

interface Topic {
  readonly held: Duration.Duration
  readonly older: NumberedRows["older"]
}

/** A server that was off for a night does not make the rows of that night. */
const usual: Topic = { held: Duration.minutes(15), older: "passed" }

/** The topics that are not as the others. */
const others: Readonly<Record<string, Topic>> = {
  // A pipe that was stopped for longer has lost rows.
  logs: { held: Duration.seconds(10), older: "lost" }
}

const seedOf = (topic: string): number =>
  Array.from(topic).reduce((seed, letter) => (seed * 31 + (letter.codePointAt(0) ?? 0)) % 2 ** 31, 7)

/**
 * What a topic holds is removed in segments of the time for which it is held, as brokers do: a pipe that begins at the first row does not
 * lose it at once. A segment begins with rows that a table takes.
 */
const topicRows = (topic: string, start: DemoStart): NumberedRows => {
  const { held, older } = others[topic] ?? usual
  const stream: RowStream = { seed: seedOf(topic), start: beginning, rate }
  const heldRows = Duration.toSeconds(held) * rate
  const segment = older === "lost" ? heldRows : rejectedEvery
  const rowsNow = Effect.map(Clock.currentTimeMillis, (now) => rowsUntil(stream, now))
  return {
    rowAt: (row) => demoRow(stream, row),
    first: Effect.map(rowsNow, (rows) => Math.max(0, Math.floor((rows - heldRows) / segment) * segment)),
    end: rowsNow,
    older,
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
