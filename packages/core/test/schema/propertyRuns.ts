import { env } from "node:process"

/** How often a property of every schema is tried: in `npm run test:long` as often as effect's default is. */
export const propertyRuns = { arbitrary: { runs: env["HEADGATE_LONG_TESTS"] === "1" ? 100 : 25 } }
