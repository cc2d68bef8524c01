import { assert, describe, it } from "@effect/vitest"
import { type Destination, PipeId } from "@headgate/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { insertSettings, recentSettings } from "../src/sql/insertSettings.ts"
import { alterWindow, destinationOf, memoryOf, windowOf } from "../src/table/guarantee.ts"
import { createTable, wantedColumns } from "../src/table/openTable.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c1")
const columns = [
  { name: "ts", type: "DateTime" },
  { name: "it's", type: "UInt64" }
]
type Definition = NonNullable<Destination["tableDefinition"]>

const create = (tableDefinition: Definition, given = columns) =>
  createTable(pipeId, { tableDefinition }, "d`b", "t", given, 10_000, "0a1b")
const refusal = (tableDefinition: Definition, given = columns) =>
  Effect.map(Effect.flip(create(tableDefinition, given)), ({ message }) => message)

describe("the statement that creates a table", () => {
  it.effect("has the destination's columns, engine and keys", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* create({
          engine: { type: "ReplacingMergeTree", versionColumnId: "ts" },
          partitionBy: "toYYYYMM(ts)",
          sortingKey: ["it's", "toDate(ts)"]
        }),
        "CREATE TABLE IF NOT EXISTS `d\\`b`.`t` (`ts` DateTime, `it's` UInt64) ENGINE = ReplacingMergeTree(`ts`) " +
          "PARTITION BY toYYYYMM(`ts`) ORDER BY (`it's`, toDate(`ts`)) SETTINGS non_replicated_deduplication_window = 10000 " +
          `COMMENT 'Created by a Headgate pipe, ${pipeId}, 0a1b'`
      )
      assert.include(
        yield* create({ engine: { type: "SummingMergeTree", columnIds: ["it's"] }, sortingKey: ["ts"] }),
        "ENGINE = SummingMergeTree((`it's`)) ORDER BY (`ts`)"
      )
      assert.include(yield* create({}), "ENGINE = MergeTree() ORDER BY () SETTINGS")
      assert.match(yield* create({ engine: { type: "Null" } }), /ENGINE = Null COMMENT/)
    })
  )

  it.effect("is refused where a field is wrong, by its name", () =>
    Effect.gen(function* () {
      const path = "destination.tableDefinition"
      assert.include(yield* refusal({ engine: { type: "File(CSV)" } }), `${path}.engine.type: Expected MergeTree`)
      assert.include(yield* refusal({ engine: { type: "constructor" } }), `${path}.engine.type: `)
      assert.include(
        yield* refusal({ engine: { type: "ReplacingMergeTree", versionColumnId: "ts)" } }),
        `${path}.engine.versionColumnId: Expected a column, got ts)`
      )
      assert.include(
        yield* refusal({ sortingKey: ["ts", "url(ts)"] }),
        `${path}.sortingKey[1]: character 1: url is no function`
      )
      assert.include(yield* refusal({ partitionBy: "ts; --" }), `${path}.partitionBy: `)
      assert.include(yield* refusal({ ttl: "ts + INTERVAL 1 DAY" }), `${path}.ttl: Expected none`)
      assert.include(yield* refusal({}, []), "destination.columns: Missing")
    })
  )

  it.effect("takes columns with names, each once, and not without bound", () =>
    Effect.gen(function* () {
      const messageOf = (given: NonNullable<Destination["columns"]>) =>
        Effect.map(Effect.flip(wantedColumns({ columns: given })), ({ message }) => message)
      assert.include(yield* messageOf([{ name: "" }]), "destination.columns[0].name: Missing")
      assert.include(yield* messageOf([{ name: "a\0" }]), "destination.columns[0].name: Expected no NUL")
      assert.include(yield* messageOf([{ name: "a".repeat(129) }]), "destination.columns[0].name: Expected at most 128")
      assert.include(yield* messageOf([{ name: "a" }, { name: "a" }]), "Expected each name once")
      const many = Array.from({ length: 1001 }, (_, index) => ({ name: `c${index}` }))
      assert.include(yield* messageOf(many), "Expected at most 1000 columns")
      assert.deepStrictEqual(yield* wantedColumns({}), [])
    })
  )
})

describe("the guarantee of a table", () => {
  const defaults = new Map([
    ["non_replicated_deduplication_window", "0"],
    ["replicated_deduplication_window", "10000"],
    ["replicated_deduplication_window_seconds", "3600"]
  ])
  const table = (engine: string, engineFull = engine) => ({ engine, engineFull, comment: "", uuid: "" })

  it("is exactly once for the family of MergeTree", () => {
    for (const engine of ["MergeTree", "ReplacingMergeTree", "VersionedCollapsingMergeTree"]) {
      assert.deepStrictEqual(destinationOf(table(engine), defaults), { guarantee: "exactly once" })
    }
    for (const engine of ["ReplicatedMergeTree", "ReplicatedSummingMergeTree", "SharedReplacingMergeTree"]) {
      assert.deepStrictEqual(
        destinationOf(table(engine), defaults),
        { guarantee: "exactly once", remembersFor: Duration.hours(1) },
        engine
      )
    }
    for (const engine of ["Distributed", "Log", "Memory", "Buffer", "Null", "MaterializedView", "MergeTreeish"]) {
      assert.deepStrictEqual(destinationOf(table(engine), defaults), { guarantee: "at least once" }, engine)
    }
  })

  it("depends on the table's own settings, or else the engine's", () => {
    const own = "MergeTree ORDER BY n SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 500"
    assert.strictEqual(windowOf(table("MergeTree", own), defaults), 500)
    assert.strictEqual(windowOf(table("MergeTree"), defaults), 0)
    assert.strictEqual(windowOf(table("ReplicatedMergeTree"), defaults), 10_000)
    const quoted =
      "MergeTree ORDER BY concat(s, ', non_replicated_deduplication_window = 7') SETTINGS index_granularity = 1"
    assert.strictEqual(windowOf(table("MergeTree", quoted), defaults), 0)
    const short =
      "ReplicatedMergeTree('/t', 'r') ORDER BY n SETTINGS replicated_deduplication_window = 99, replicated_deduplication_window_seconds = 60"
    assert.strictEqual(windowOf(table("ReplicatedMergeTree", short), defaults), 99)
    assert.deepStrictEqual(
      destinationOf(table("ReplicatedMergeTree", short), defaults).remembersFor,
      Duration.minutes(1)
    )
    assert.strictEqual(
      alterWindow("d", "t", memoryOf("SharedMergeTree"), 5),
      "ALTER TABLE `d`.`t` MODIFY SETTING replicated_deduplication_window = 5"
    )
  })
})

describe("the settings of an insert", () => {
  it("make one block, and hold the token whatever it is", () => {
    const all = insertSettings("it's \\", new Set(recentSettings))
    for (const setting of [
      "async_insert = 0",
      "input_format_parallel_parsing = 0",
      "deduplicate_insert = 'enable'",
      "insert_deduplicate = 1",
      "min_insert_block_size_rows = 1000000000000",
      "min_insert_block_size_bytes = 1000000000000",
      "max_insert_block_size = 1000000000000",
      "session_timezone = 'UTC'"
    ]) {
      assert.include(all, setting)
    }
    assert.isTrue(all.endsWith("insert_deduplication_token = 'it\\'s \\\\'"))
    assert.notInclude(insertSettings("t", new Set()), "deduplicate_insert =")
  })
})
