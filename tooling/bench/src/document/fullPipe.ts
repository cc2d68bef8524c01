import type * as Schema from "effect/Schema"

import document from "./fullPipe.json" with { type: "json" }

/**
 * A pipe with every field of the contract, every kind of source at once, and unknown fields at three depths: 4 KB of JSON,
 * the most that a reader has to check.
 */
export const fullPipe: Schema.JsonObject = document
