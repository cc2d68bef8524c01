// Exits at the first signal, with requests in flight.
import { serveBroken } from "./serve.mjs"

process.once("SIGTERM", () => process.exit(0))
await serveBroken(() => {})
