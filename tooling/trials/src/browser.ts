// Runs the adapter and the client, bundled, in a real headless Chromium.
import { runTrial } from "@headgate/harness/Command"
import { browse } from "./browser/browse.ts"

const pages = [
  { name: "adapter", script: new URL("browser/adapterPage.ts", import.meta.url), aborted: "interrupted" },
  {
    name: "client",
    script: new URL("browser/clientPage.ts", import.meta.url),
    aborted: "AbortError: signal is aborted without reason"
  }
]

await runTrial("browser", { name: "rounds", byDefault: 1 }, browse(pages))
