// `npm run bench:move`: what the messages of a topic cost until they are in a table, beside a bare loop and the engine's own way.
import * as Effect from "effect/Effect"
import { benchTopic } from "./move/topic.ts"
import { runWorkBenchmark } from "./runWorkBenchmark.ts"

const mostRounds = 3

await runWorkBenchmark("move", ["@platformatic/kafka"], ({ rounds, size }) =>
  Effect.runPromise(benchTopic(Math.min(rounds, mostRounds), size))
)
