import { assert, it } from "@effect/vitest"
import { startHelper } from "@headgate/harness/HelperProcess"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeChdb } from "../../mover-clickhouse/test/support/chdb.ts"
import { describeStorage, makeBucket } from "./support/storage.ts"

const script = new URL("processes/moveObjects.ts", import.meta.url)

const rowsPerObject = 1000
const objects = 5

const formats = {
  JSONEachRow: { row: (n: number) => `{"n":${n},"text":"row ${n}"}\n`, bad: '{"n":-1}\n{"n":\n' },
  CSV: { row: (n: number) => `${n},"row\n${n}"\n`, bad: '-1,a\n"x\n",a\n' }
}

describeStorage("a mover that is killed", (storage) => {
  /** A bucket, and the folder of an engine and a ledger. */
  const makeWorld = Effect.fnUntraced(function* (format: keyof typeof formats = "JSONEachRow") {
    const bucket = yield* makeBucket(yield* storage)
    for (let object = 0; object < objects; object += 1) {
      // The second one and the fourth one have rejected rows, and are read row by row.
      const { bad, row } = formats[format]
      const rows = Array.from({ length: rowsPerObject }, (_, index) => row(object * rowsPerObject + index))
      yield* bucket.put(`logs/${object}.txt`, (object % 2 === 1 ? bad : "") + rows.join(""))
    }
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-objects-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const start = (stopAt: string) =>
      startHelper(script, [
        join(folder, "engine"),
        join(folder, "ledger.db"),
        `${bucket.base}/logs/*.txt`,
        stopAt,
        format
      ])
    return { bucket, start }
  })

  const finishes = (start: (stopAt: string) => ReturnType<typeof startHelper>) =>
    Effect.promise(async () => {
      const last = start("nowhere")
      const result = await last.next()
      last.stop()
      const produced = objects * rowsPerObject
      assert.deepStrictEqual(result, {
        end: "Completed",
        message: undefined,
        rows: produced,
        uniq: produced,
        bad: 4,
        left: 0
      })
    })

  describeChdb("with the engine in its process", () => {
    // Each object has four partitions: the fifth is that of the second object.
    const places = [
      "staged:1",
      "staged:2",
      "recorded:2",
      "moved:1",
      "moved:6",
      "marked:1",
      "marked:6",
      "logged:2",
      "done:2",
      "copied:1",
      "rejected:1",
      // Objects have left the range, and the others are not read again yet.
      "narrowed:1",
      // The warehouse has the objects of the range in its log, and not yet its position.
      "listed:1",
      "listed:2"
    ].map((place) => ({ place, format: "JSONEachRow" as const }))
    const placesOfCsv = ["copied:1", "rejected:1", "rejected:2", "staged:2"].map((place) => ({
      place,
      format: "CSV" as const
    }))
    for (const { format, place } of [...places, ...placesOfCsv]) {
      it.live(`at ${place} of ${format} has each row once in the end`, () =>
        Effect.scoped(
          Effect.gen(function* () {
            const { start } = yield* makeWorld(format)
            // The second one takes over what the first one left, and is killed there, too.
            for (let kills = 0; kills < 2; kills += 1) {
              const mover = start(place)
              const reached = yield* Effect.promise(() => mover.next())
              mover.stop()
              if (kills === 0) assert.strictEqual(reached, "reached")
            }
            yield* finishes(start)
          })
        )
      )
    }

    it.live("at any moment has each row once in the end", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { start } = yield* makeWorld()
          for (let kills = 0; kills < 10; kills += 1) {
            const mover = start("nowhere")
            // It takes about a second to open the engine.
            yield* Effect.sleep(`${500 + kills * 130} millis`)
            mover.stop()
            yield* Effect.promise(() => mover.next().catch(() => undefined))
          }
          yield* finishes(start)
        })
      )
    )
  })
})
