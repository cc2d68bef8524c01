// The engine behind a server of HTTP, as a process of its own that can be killed: warehouse.ts FOLDER PORT [CONFIGURATION]. Prints its address.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { argv } from "node:process"
import { startServer } from "../support/engine.ts"

const [path = "", port = "0", configuration] = argv.slice(2)
const serve = Effect.gen(function* () {
  const { url } = yield* startServer({
    path,
    port: Number(port),
    ...(configuration === undefined ? {} : { configuration })
  })
  yield* Console.log(url)
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(serve))
