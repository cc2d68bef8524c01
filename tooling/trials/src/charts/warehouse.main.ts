// The engine behind several servers of HTTP, as a process of its own: warehouse.main.ts FOLDER CONNECTIONS. Prints their addresses. A
// session runs one statement at a time, so that a statement beside a long one needs a session of its own.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { argv } from "node:process"
import { startServer } from "../../../../packages/mover-clickhouse/test/support/engine.ts"

const [path = "", connections = "1"] = argv.slice(2)
const serve = Effect.gen(function* () {
  const fronts = yield* Effect.forEach(Array.from({ length: Number(connections) }), () => startServer({ path }))
  yield* Console.log(fronts.map(({ url }) => url).join(" "))
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(serve))
