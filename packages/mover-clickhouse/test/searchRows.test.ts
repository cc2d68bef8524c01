import { assert, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import type { Range } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { ClickHouse } from "../src/index.ts"
import { searchRows } from "../src/staging/searchRows.ts"

const pipeId = Schema.decodeSync(PipeId)("b1be0000-0000-4000-8000-0000000000c3")
const range: Range = { pipeId, generation: 1, source: "topic", partition: "0", from: "0", to: "9" }

const columns = Array.from({ length: 1000 }, (_, place) => ({ name: `c${place}`, type: "IPv6", hasDefault: false }))
const text = `{${columns.map(({ name }) => `"${name}":"a"`).join(",")}}`

let parts = 0

/** A row that counts the parts that are made of it. */
class CountedRow extends Uint8Array {
  override subarray(from?: number, to?: number) {
    parts += 1
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).subarray(from, to)
  }
}

// Of 16 MiB of rows with small fields, the fields took 1.8 GB.
it.effect("the fields of rows that the engine refuses are made while they are sent, and not all at once", () =>
  Effect.gen(function* () {
    const count = 20
    let inserts = 0
    let made = 0
    const engine: ClickHouse["Service"] = {
      database: "d",
      run: (sql) =>
        Effect.succeed(
          !sql.startsWith("SELECT number")
            ? ""
            : inserts > 1
              ? "999\n"
              : Array.from({ length: count }, (_, row) => `${row}\n`).join("")
        ),
      insert: (_, rows) =>
        Effect.gen(function* () {
          inserts += 1
          yield* Stream.runDrain(Stream.take(rows, 1))
          made = parts
          parts = 0
        })
    }
    const rows = Array.from({ length: count }, (_, row) => [row, new CountedRow(Buffer.from(text))] as const)
    const target = { engine, database: "d", columns, settings: new Map<string, string>() }
    const found = yield* searchRows(target, { pipeId, epoch: 1, id: "owner" }, range, Stream.fromIterable(rows))
    assert.strictEqual(inserts, 2)
    assert.strictEqual(found[0]?.reason, 'column c999: "a": it is no IPv6')
    assert.lengthOf(found, count)
    // Two parts of each field.
    assert.isAbove(made, 0)
    assert.isBelow(made, count * columns.length)
  })
)
