// Runs the adapter and the client, bundled, in a real headless Chromium, and uses the console there as people do.
import { runTrial } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { say, Verdict } from "@headgate/harness/Verdict"
import { browse } from "./browser/browse.ts"
import { sizedPages, sizeFaults } from "./browser/sizeFaults.ts"
import { useConsole } from "./browser/console/useConsole.ts"

const pages = [
  { name: "adapter", script: new URL("browser/adapterPage.ts", import.meta.url), aborted: "interrupted" },
  {
    name: "client",
    script: new URL("browser/clientPage.ts", import.meta.url),
    aborted: "AbortError: signal is aborted without reason"
  },
  {
    name: "entries",
    script: new URL("browser/entriesPage.ts", import.meta.url),
    aborted: "AbortError: signal is aborted without reason"
  }
]

/** The part with the bundled pages; the others are those of the console. */
const bundled = "bundled"

await runTrial("browser", { name: "rounds", byDefault: 1 }, async (options, directory) => {
  const { only, seed, server: script } = options
  const verdict = new Verdict("browser")
  if (only === undefined || only === bundled) {
    verdict.none(await sizeFaults(sizedPages, say), "a page with one call")
    say(await browse(pages)(options, directory, verdict))
  }
  const used = only === bundled ? 0 : await useConsole({ directory, only, random: makeRandom(seed), script, verdict })
  verdict.end(`${used} parts of the console, ${verdict.count} faults`)
  // The server of a part that failed still runs.
  process.exit()
})
