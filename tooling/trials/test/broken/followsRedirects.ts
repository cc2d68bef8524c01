// The browser trial with a page that has faults.
import { runTrial } from "@headgate/harness/Command"
import { say, Verdict } from "@headgate/harness/Verdict"
import { browse } from "../../src/browser/browse.ts"

const page = { name: "faulty", script: new URL("followsRedirectsPage.ts", import.meta.url), aborted: "interrupted" }

await runTrial("browser", { name: "rounds", byDefault: 1 }, async (options, directory) => {
  const verdict = new Verdict("browser")
  say(await browse([page])(options, directory, verdict))
  verdict.end(`${verdict.count} faults`)
})
