import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import type { LedgerState, LoggedPositions } from "../src/index.ts"
import { Range } from "../src/range/Range.ts"
import { retryDelay } from "../src/rule/attempts.ts"
import { comparePositions, describeDifferences } from "../src/loop/continueGeneration.ts"
import { deduplicationWindow, isForgotten } from "../src/rule/deduplicationWindow.ts"
import { pipeId } from "./pipes.ts"

const range: Range = { pipeId, generation: 3, source: "topic", partition: "0", from: "10", to: "20" }

const ledgerAt = (done: string | undefined, pendingTo?: string): LedgerState => ({
  current: { generation: 3, source: "topic", starts: new Map() },
  recorded: new Map(),
  done: done === undefined ? new Map() : new Map([["0", done]]),
  doneDetail: new Map(),
  pending: pendingTo === undefined ? [] : [{ range: { ...range, to: pendingTo }, age: Duration.zero }],
  failingFor: Duration.zero,
  delivered: { rows: 0, rejected: 0, bytes: 0 },
  tables: new Map()
})

const logAt = (position: string | undefined, generation = 3): LoggedPositions => ({
  generation,
  positions: position === undefined ? new Map() : new Map([["0", position]])
})

describe("Range.tokenOf", () => {
  it("differs in every part of a range but what its source noted", () => {
    const others: ReadonlyArray<Partial<Range>> = [
      { generation: 4 },
      { source: "topic2" },
      { partition: "00" },
      { from: "1", to: "020" },
      { to: "21" },
      { source: `topic","0`, partition: "" }
    ]
    const tokens = [range, ...others.map((change) => ({ ...range, ...change }))].map(Range.tokenOf)
    assert.strictEqual(new Set(tokens).size, tokens.length)
    assert.strictEqual(Range.tokenOf({ ...range, detail: "noted" }), Range.tokenOf(range))
  })
})

describe("deduplicationWindow", () => {
  it("is 20 times what may be in flight on the table, and never below 10,000", () => {
    assert.strictEqual(deduplicationWindow({ inFlight: 4, partsPerInsert: 1, pipesOnTable: 1 }), 10_000)
    assert.strictEqual(deduplicationWindow({ inFlight: 60, partsPerInsert: 10, pipesOnTable: 2 }), 24_000)
  })
})

describe("isForgotten", () => {
  const pending = (minutes: number, insertsBefore?: number) => ({
    range: insertsBefore === undefined ? range : { ...range, insertsBefore },
    age: Duration.minutes(minutes)
  })
  const [remembersFor, window] = [Duration.hours(1), 10_000]

  it("goes by the time for which a table remembers tokens", () => {
    assert.isFalse(isForgotten(pending(59), { remembersFor, window }))
    assert.isTrue(isForgotten(pending(60), { remembersFor, window }))
    assert.isFalse(isForgotten(pending(60), { window }))
  })

  it("goes by the number of inserts since the range was recorded", () => {
    assert.isFalse(isForgotten(pending(0, 500), { window, inserts: 500 }))
    assert.isFalse(isForgotten(pending(0, 500), { window, inserts: 9499 }))
    assert.isTrue(isForgotten(pending(0, 500), { window, inserts: 9500 }))
    assert.isTrue(isForgotten(pending(0, 500), { remembersFor, window, inserts: 9500 }))
  })

  it("holds of what was not counted, and where the count began again", () => {
    assert.isTrue(isForgotten(pending(0), { window, inserts: 0 }))
    assert.isTrue(isForgotten(pending(0, 500), { window, inserts: 499 }))
  })
})

describe("retryDelay", () => {
  it("doubles from half a second to half a minute, with full jitter", () => {
    const longest = [1, 2, 3, 6, 7, 8, 5000].map((failures) => Duration.toMillis(retryDelay(failures, 1)))
    assert.deepStrictEqual(longest, [500, 1000, 2000, 16_000, 30_000, 30_000, 30_000])
    assert.strictEqual(Duration.toMillis(retryDelay(5, 0)), 0)
    assert.strictEqual(Duration.toMillis(retryDelay(2, 0.5)), 500)
  })
})

describe("comparePositions", () => {
  it.each<[string, LedgerState, LoggedPositions]>([
    ["nothing has moved", ledgerAt(undefined), logAt(undefined)],
    ["both stand at the same range", ledgerAt("10"), logAt("10")],
    ["a pending range is not logged", ledgerAt("10", "20"), logAt("10")],
    ["a pending range is logged and not marked as done", ledgerAt("10", "20"), logAt("20")],
    ["the first range is pending and logged", ledgerAt(undefined, "20"), logAt("20")],
    ["a new generation has logged nothing", ledgerAt(undefined), logAt("400", 2)]
  ])("agrees when %s", (_, ledger, logged) => {
    assert.deepStrictEqual(comparePositions(ledger, logged), [])
  })

  it.each<[string, LedgerState, LoggedPositions]>([
    ["the ledger is older", ledgerAt("10"), logAt("40")],
    ["the ledger is older than a pending range can say", ledgerAt("10", "20"), logAt("40")],
    ["the ledger is of an earlier generation", ledgerAt("10"), logAt("10", 4)],
    ["the ledger is empty", ledgerAt(undefined), logAt("10")],
    ["the warehouse is older", ledgerAt("10"), logAt("5")],
    ["the warehouse is of an earlier generation", ledgerAt("10"), logAt("10", 2)],
    ["the log is empty", ledgerAt("10"), logAt(undefined, 0)]
  ])("differs when %s", (_, ledger, logged) => {
    assert.lengthOf(comparePositions(ledger, logged), 1)
  })

  it("names the first partition that differs, and counts the others", () => {
    const logged = {
      generation: 3,
      positions: new Map([
        ["0", "40"],
        ["1", "7"],
        ["2", "8"]
      ])
    }
    const message = describeDifferences(comparePositions(ledgerAt("10"), logged))
    assert.include(
      message,
      "partition 0 is at 10 in the ledger and at 40 in the warehouse, and 2 more partitions differ"
    )
  })
})
