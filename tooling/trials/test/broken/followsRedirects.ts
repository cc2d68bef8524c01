// The browser trial with a page that has faults.
import { runTrial } from "@headgate/harness/Command"
import { browse } from "../../src/browser/browse.ts"

const page = { name: "faulty", script: new URL("followsRedirectsPage.ts", import.meta.url), aborted: "interrupted" }

await runTrial("browser", { name: "rounds", byDefault: 1 }, browse([page]))
