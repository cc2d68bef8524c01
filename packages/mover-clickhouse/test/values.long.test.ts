import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import { Ledger, movePipe, Source, Warehouse } from "@headgate/mover"
import { MemoryLedger, MemorySource } from "@headgate/mover/memory"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { ClickHouse } from "../src/index.ts"
import { describeChdb, embedded } from "./support/chdb.ts"
import { openPipe } from "./support/databases.ts"
import { inAllOrders, typeCases } from "./support/values.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c3")

const hex = (text: string) => Buffer.from(text, "utf8").toString("hex").toUpperCase()

/** Moves messages into a table of a type, and says of each what became of it. */
const move = Effect.fnUntraced(function* (
  engine: ClickHouse["Service"],
  type: string,
  show: string,
  rows: ReadonlyArray<string>
) {
  const create = (database: string) =>
    `CREATE TABLE ${database}.t (n UInt64, c ${type}) ENGINE = MergeTree ORDER BY n
    SETTINGS non_replicated_deduplication_window = 10000`
  const { database, lines, warehouse } = yield* openPipe(engine, {}, create)
  const source = MemorySource.make()
  yield* source.append("0", ...rows)
  yield* source.end
  const end = yield* movePipe({
    pipeId,
    limits: { rows: 100_000, bytes: 32_000_000, wait: Duration.zero },
    inFlight: 1,
    partsPerInsert: 1,
    pipesOnTable: 1,
    report: () => Effect.void
  }).pipe(
    Effect.provideService(Source, source.source),
    Effect.provideService(Warehouse, warehouse),
    Effect.provideService(Ledger, MemoryLedger.make().ledger)
  )
  const found = (sql: string) =>
    Effect.map(lines(sql), (all) => all.map((line): Record<string, string> => JSON.parse(line)))
  return {
    end,
    kept: yield* found(`SELECT toString(n) AS n, hex(${show}) AS value FROM ${database}.t ORDER BY n`),
    bad: yield* found(
      `SELECT toString(range_row) AS n, hex(raw_message) AS raw, error FROM ${database}.t_pipe_errors ORDER BY range_row`
    )
  }
})

describeChdb("each value of each type", () => {
  it.live("is in the table as it was, or in the error table, byte by byte", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
        const wrong: Array<string> = []
        for (const { show, type, values: cases } of typeCases) {
          const ordered = inAllOrders(cases)
          const rows = ordered.map(({ json }, n) => `{"n":${n},"c":${json}}`)
          const { bad, end, kept } = yield* move(engine, type, show, rows)
          if (end._tag !== "Completed") {
            wrong.push(`${type}: ${end._tag} ${"message" in end ? end.message : ""}`.slice(0, 300))
            continue
          }
          const stored = new Map(kept.map(({ n, value }) => [Number(n), value]))
          const raws = new Map(bad.map(({ error, n, raw }) => [Number(n), { error, raw }]))
          for (const [n, one] of ordered.entries()) {
            const [is, rejected] = [stored.get(n), raws.get(n)]
            const isRight =
              one.stored === undefined
                ? is === undefined && rejected?.raw === hex(rows[n] ?? "") && rejected.error !== ""
                : rejected === undefined && is === hex(one.stored)
            const was = is === undefined ? "none" : Buffer.from(is, "hex").toString("utf8")
            if (!isRight)
              wrong.push(
                `${type} ${one.json}: ${one.stored ?? "bad"}, and it is ${was} ${rejected?.error ?? ""}`.slice(0, 250)
              )
          }
          assert.strictEqual(kept.length + bad.length, rows.length, type)
        }
        assert.deepStrictEqual(Array.from(new Set(wrong)), [])
        const distinct = new Map<string, Set<string>>()
        for (const { type, values } of typeCases) {
          distinct.set(type, new Set([...(distinct.get(type) ?? []), ...values.map(({ json }) => json)]))
        }
        assert.isAtLeast(Array.from(distinct.values()).filter(({ size }) => size >= 40).length, 60)
      })
    )
  )
})
