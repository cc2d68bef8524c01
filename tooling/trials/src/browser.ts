// The adapter and the client, bundled, in a real headless Chromium: do they read, create and fail there as anywhere?
import { browse } from "./browser/browse.ts"
import { runTrial } from "./report/Trial.ts"

const pages = [
  { name: "adapter", script: new URL("browser/adapterPage.ts", import.meta.url), aborted: "interrupted" },
  {
    name: "client",
    script: new URL("browser/clientPage.ts", import.meta.url),
    aborted: "AbortError: signal is aborted without reason"
  }
]

await runTrial("browser", { name: "rounds", usual: 1 }, browse(pages))
