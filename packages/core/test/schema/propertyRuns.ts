import { env } from "node:process"

/**
 * How often a property of every schema is tried: in `npm run test:long` as often as effect's default is. Of the values for a
 * request that refuses unknown fields, nine of ten have one and are discarded, and of histories, which have many times, ninety-nine of a
 * hundred have one beyond the year 9999.
 */
export const propertyRuns = { arbitrary: { runs: env["HEADGATE_LONG_TESTS"] === "1" ? 100 : 25, maxDiscards: 100_000 } }
