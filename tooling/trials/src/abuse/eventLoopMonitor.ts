// Loaded into the server under test (`node --import`). Each SIGUSR2 writes the longest block of its event loop since the last
// one, in milliseconds, to the file that `TRIAL_EVENT_LOOP` names.
import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"

const file = process.env["TRIAL_EVENT_LOOP"]
const resolution = 10
const delay = monitorEventLoopDelay({ resolution })
delay.enable()

if (file !== undefined) {
  process.on("SIGUSR2", () => {
    // Node counts its sampling interval in.
    writeFileSync(file, String(Math.max(0, delay.max / 1e6 - resolution)))
    delay.reset()
  })
}
