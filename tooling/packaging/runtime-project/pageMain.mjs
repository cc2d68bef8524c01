import { run } from "./program.mjs"

globalThis.runProgram = run
