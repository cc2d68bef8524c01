import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { clickhouse, dialectNames, dialects, neutral, renameSetting } from "../src/index.ts"

describe("the dialects", () => {
  it("are found by name", () => {
    assert.deepStrictEqual(Object.keys(dialects), [...dialectNames])
    for (const name of dialectNames) assert.strictEqual(dialects[name].name, name)
  })

  it("have these names", () => {
    assert.deepStrictEqual(neutral, {
      name: "neutral",
      pipesSegment: "dbpipes",
      stackSegment: "dbstack",
      pipeIdParameter: "dbPipeId",
      settingsPrefix: "db_",
      pipeName: "pipe"
    })
    assert.deepStrictEqual(clickhouse, {
      name: "clickhouse",
      pipesSegment: "clickpipes",
      stackSegment: "clickstack",
      pipeIdParameter: "clickPipeId",
      settingsPrefix: "clickhouse_",
      pipeName: "ClickPipe"
    })
  })
})

describe("renameSetting", () => {
  it("changes nothing in the neutral dialect", () => {
    for (const name of ["db_max_threads", "clickhouse_max_threads", "object_storage_concurrency", "db_", ""]) {
      assert.strictEqual(renameSetting(neutral, name), name)
    }
  })

  it("swaps the two prefixes in the other", () => {
    assert.strictEqual(renameSetting(clickhouse, "db_max_threads"), "clickhouse_max_threads")
    assert.strictEqual(renameSetting(clickhouse, "clickhouse_max_threads"), "db_max_threads")
    assert.strictEqual(renameSetting(clickhouse, "clickhouse_db_max"), "db_db_max")
  })

  it("does not rename other settings that look similar", () => {
    for (const name of ["object_storage_concurrency", "streaming_db_wait", "dbmax", "DB_max_threads", "db", ""]) {
      assert.strictEqual(renameSetting(clickhouse, name), name)
    }
  })

  const affix = Schema.Literals(["", "db_", "clickhouse_", "db_clickhouse_", "clickhouse_db_", "db", "object_storage_"])

  for (const dialect of Object.values(dialects)) {
    it.prop(
      `is its own inverse in the ${dialect.name} dialect, for any name`,
      [affix, Schema.String],
      ([affix, rest]) => {
        const name = affix + rest
        assert.strictEqual(renameSetting(dialect, renameSetting(dialect, name)), name)
      }
    )

    it.prop(
      `never gives two names one in the ${dialect.name} dialect`,
      [Schema.Array(affix), Schema.Array(Schema.String)],
      ([affixes, rests]) => {
        const names = new Set(affixes.flatMap((affix) => [affix, ...rests.map((rest) => affix + rest)]))
        assert.strictEqual(new Set(Array.from(names, (name) => renameSetting(dialect, name))).size, names.size)
      }
    )
  }
})
