// Ends at the first signal, whatever runs.
import { serveBroken } from "./serve.mjs"

process.once("SIGTERM", () => process.exit(0))
await serveBroken(() => {})
