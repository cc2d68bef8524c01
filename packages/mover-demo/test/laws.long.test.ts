import { sourceLaws } from "@headgate/mover/laws"
import * as Effect from "effect/Effect"
import { DemoSource } from "../src/index.ts"

for (const isLosing of [true, false]) {
  sourceLaws({
    name: `the source of the demo, whose older rows are ${isLosing ? "lost" : "passed"}`,
    make: Effect.sync(() => {
      let [identity, first] = ["demo", 0]
      let rows: ReadonlyArray<string> = []
      const partition = {
        rowAt: (row: number) => rows[row] ?? "",
        first: Effect.sync(() => first),
        end: Effect.sync(() => rows.length),
        ...(isLosing ? { lost: Effect.sync(() => first) } : {})
      }
      return {
        source: DemoSource.make({ identity: Effect.sync(() => identity), partitions: new Map([["0", partition]]) }),
        append: (texts: ReadonlyArray<string>) =>
          Effect.sync(() => {
            rows = [...rows, ...texts]
          }),
        replace: Effect.sync(() => {
          ;[identity, first, rows] = ["another", 0, []]
        }),
        // Rows that are passed are not lost: see DemoSource.test.ts.
        ...(isLosing
          ? {
              loseFirst: (count: number) =>
                Effect.sync(() => {
                  first = count
                })
            }
          : {})
      }
    })
  })
}
