// A process that ends with a handler that is called later than that of exitAtOnce, as those of native code are.
import * as Effect from "effect/Effect"
import { exitAtOnce } from "../../src/mover/exitAtOnce.ts"

Effect.runSync(exitAtOnce)
process.once("exit", () => console.log("a handler was called"))
console.log("x".repeat(100_000))
process.exitCode = Number(process.argv[2])
