// Node, Bun and Deno.
import process from "node:process"
import { run } from "./program.mjs"

console.log(`saw ${JSON.stringify(await run(JSON.parse(process.env.RUNTIME_CONFIG)))}`)
