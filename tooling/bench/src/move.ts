// `npm run bench:move`: what messages of topics, objects of a storage and rows of a database cost until they are in a table, beside a bare
// loop and the engine's own ways.
import * as Effect from "effect/Effect"
import { benchObjects } from "./move/objects.ts"
import { benchSnapshot } from "./move/snapshot.ts"
import { benchBadRows, benchTopic } from "./move/topic.ts"
import { makeEnvironment } from "./move/environment.ts"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const mostRounds = 3

const parts = { topic: benchTopic, bad: benchBadRows, objects: benchObjects, postgres: benchSnapshot }

await runWorkBenchmark(
  "move",
  ["@platformatic/kafka"],
  ({ rounds, runs, size }) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const environment = yield* makeEnvironment
          for (const [name, bench] of Object.entries(parts)) {
            if (runs(name)) yield* bench(environment, Math.min(rounds, mostRounds), size)
          }
        })
      )
    ),
  Object.keys(parts)
)
