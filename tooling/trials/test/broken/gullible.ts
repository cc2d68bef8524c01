// The browser trial on a page with faults.
import { browse } from "../../src/browser/browse.ts"
import { runTrial } from "../../src/report/Trial.ts"

const page = { name: "gullible", script: new URL("gulliblePage.ts", import.meta.url), aborted: "interrupted" }

await runTrial("browser", { name: "rounds", usual: 1 }, browse([page]))
