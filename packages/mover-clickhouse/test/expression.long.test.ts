import { ClickHouse, query, writeExpression } from "@headgate/clickhouse"
import { assert, it } from "@effect/vitest"
import { columnTypeOf, functionTable, parseLucene, parseSql } from "@headgate/core/adapter"
import { explainStatement, foreignNodes } from "@headgate/harness/engineTree"
import { hostileExpressions } from "@headgate/harness/hostileExpressions"
import { makeRandom } from "@headgate/harness/Random"
import { randomExpression } from "@headgate/harness/randomExpression"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { env } from "node:process"
import { describeChdb, embedded } from "./support/chdb.ts"
import {
  aggregateExamples,
  conditionalExamples,
  exampleColumns,
  plainExamples,
  rowOfPlain,
  rowsOfAggregates
} from "./support/functionExamples.ts"

const columns = new Map(exampleColumns.map(([name, type]) => [name, columnTypeOf(type)]))

const written = (text: string): string =>
  writeExpression(
    Result.getOrThrowWith(
      parseSql(text, { columns, aggregates: "allowed" }),
      ({ message }) => new Error(`${text}: ${message}`)
    )
  )

const Value = Schema.Struct({ value: Schema.NullOr(Schema.String) })
const Line = Schema.Struct({ explain: Schema.String })

const valueOf = (sql: string, from: string) =>
  ClickHouse.use((engine) => query(engine, Value, `SELECT toString(${sql}) AS value FROM (${from})`)).pipe(
    Effect.map(([row]) => row?.value ?? "NULL"),
    Effect.catch((failure) => Effect.succeed(`failed: ${String(failure).slice(0, 300)}`))
  )

type Examples = typeof plainExamples

/** The examples that have another value than the table says. */
const wrongOf = (examples: Examples, from: string) =>
  Effect.forEach(examples, ({ text, value }) =>
    Effect.map(valueOf(written(text), from), (got) => (got === value ? [] : [`${text} is ${got}, not ${value}`]))
  ).pipe(Effect.map((wrong) => wrong.flat()))

const names = [...columns.keys(), "back`tick", "quo'te"]
const allowed = {
  functions: new Set(functionTable.map(({ name }) => name)),
  names: new Set([...names, "x", "y`\\", "element"])
}

/** Expressions in statements of at most about 100,000 characters. */
const batchesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const batches: Array<Array<string>> = []
  let length = Infinity
  for (const text of texts) {
    if (length + text.length > 100_000) {
      batches.push([])
      length = 0
    }
    batches.at(-1)?.push(text)
    length += text.length
  }
  return batches
}

/** What the engine reads in expressions beside literals, and functions and columns that are allowed. */
const foreignIn = (texts: ReadonlyArray<string>) =>
  Effect.forEach(batchesOf(texts), (batch) =>
    ClickHouse.use((engine) => query(engine, Line, explainStatement(batch))).pipe(
      Effect.map((rows) =>
        foreignNodes(
          rows.map(({ explain }) => explain),
          batch.length,
          allowed
        )
      ),
      Effect.catch((failure) => Effect.succeed([`no tree: ${String(failure).slice(0, 300)}`]))
    )
  ).pipe(Effect.map((foreign) => foreign.flat()))

// By hand, many more.
const rounds = Number(env["HEADGATE_EXPRESSION_ROUNDS"] ?? "10000")

describeChdb("expressions on the engine", () => {
  it.live("have three examples for each function", () =>
    Effect.gen(function* () {
      const examples = [...plainExamples, ...aggregateExamples, ...conditionalExamples]
      const ofTime = ["now", "today", "yesterday"]
      const hashes = functionTable.filter(({ name }) => /hash|halfMD5/i.test(name)).map(({ name }) => name)
      assert.deepStrictEqual(
        functionTable
          .map(({ name }) => name)
          .filter((name) => !ofTime.includes(name) && !hashes.includes(name))
          .filter(
            (name) => new Set(examples.filter((example) => example.name === name).map(({ text }) => text)).size !== 3
          ),
        []
      )
      assert.deepStrictEqual(
        [
          ...(yield* wrongOf(plainExamples, rowOfPlain)),
          ...(yield* wrongOf(aggregateExamples, `SELECT * FROM (${rowsOfAggregates}) WHERE g = 1`)),
          ...(yield* wrongOf(conditionalExamples, rowsOfAggregates))
        ],
        []
      )
      // What has no value that is known before: it is the same each time, or near to now.
      for (const name of hashes)
        for (const value of name.startsWith("intHash") ? ["1", "2", "3"] : ["1", "'a'", "toDate('2026-11-23')"]) {
          const text = `${name}(${value})`
          assert.match(yield* valueOf(written(text), rowOfPlain), /^\d+$/, text)
          assert.strictEqual(yield* valueOf(written(`${text} = ${text}`), rowOfPlain), "1", text)
        }
      for (const text of [
        "now() > toDateTime('2026-01-01 00:00:00', 'UTC')",
        "now('UTC') >= now() - 5",
        "today() - 1 = yesterday()"
      ])
        assert.strictEqual(yield* valueOf(written(text), rowOfPlain), "1", text)
    }).pipe(Effect.provide(embedded))
  )

  it.live(
    "are read by it as they were written",
    () =>
      Effect.gen(function* () {
        const random = makeRandom(2024)
        const trees = Array.from({ length: rounds }, () => randomExpression(random, names))
        assert.deepStrictEqual(yield* foreignIn(trees.map(writeExpression)), [])
      }).pipe(Effect.provide(embedded)),
    { timeout: 600_000 }
  )

  it.live("of hostile texts have nothing else, and texts that are pasted in have", () =>
    Effect.gen(function* () {
      const words = hostileExpressions.flatMap((text) => {
        const read = parseLucene(text, { columns, aggregates: "refused", implicit: ["s"] })
        return Result.isSuccess(read) && read.success !== undefined ? [writeExpression(read.success)] : []
      })
      assert.isAbove(words.length, 0)
      assert.deepStrictEqual(yield* foreignIn(words), [])
      // The same check of a writer that pastes.
      for (const text of [
        "file('/etc/passwd')",
        "n IN system.one",
        "(SELECT 1)",
        "n AS m",
        "1, 2",
        "*",
        "n FROM system.one",
        "{p:Int8}",
        "COLUMNS('.*')"
      ])
        assert.notDeepEqual(yield* foreignIn([text]), [], text)
    }).pipe(Effect.provide(embedded))
  )

  it.live("have the precedence of operators that it has", () =>
    Effect.gen(function* () {
      const random = makeRandom(7)
      const operators = ["+", "-", "*", "/", "%", "=", "!=", "<", ">=", "AND", "OR", "AND NOT", "= -", "* -", "||"]
      const tests = ["", "", "", " IS NULL", " IS NOT NULL", " IN (1, 2)", " NOT IN (3)", " BETWEEN 1 AND 2", "::Int64"]
      let compared = 0
      for (let round = 0; round < 400; round += 1) {
        let text = `${random.pick(["", "NOT ", "-"])}${random.between(0, 4)}`
        for (let count = random.between(1, 5); count > 0; count -= 1)
          text += ` ${random.pick(operators)} ${random.pick(["1", "2", "3.5", "NULL"])}${random.pick(tests)}`
        const expected = yield* valueOf(text, rowOfPlain)
        // The engine also takes arithmetic behind a test: `1 IS NULL + 1`.
        const read = parseSql(text, { columns, aggregates: "refused" })
        if (expected.startsWith("failed") || Result.isFailure(read)) continue
        compared += 1
        assert.strictEqual(yield* valueOf(writeExpression(read.success), rowOfPlain), expected, text)
      }
      assert.isAbove(compared, 100)
    }).pipe(Effect.provide(embedded))
  )
})
