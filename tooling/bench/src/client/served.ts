import { Buffer } from "node:buffer"
import type * as Schema from "effect/Schema"
import { fullPipe } from "../document/fullPipe.ts"

/** What the raw server knows, and its callers: one service of one organization, and one key. */
export const organizationId = "a0000000-0000-4000-8000-000000000001"
export const serviceId = "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"
export const keyId = "bench-key-id"
export const keySecret = "bench-key-secret"
export const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`

/** What is asked for: the id of a pipe. */
export const pipeIds = {
  full: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  /** Its name is a number. */
  wrong: "6f1c2d3e-4b5a-4c7d-8e9f-000000000400",
  /** Every second answer is a 503. */
  unsteady: "6f1c2d3e-4b5a-4c7d-8e9f-000000000503"
}

export const pathOf = (pipeId: string): string =>
  `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes/${pipeId}`

/** Where the server tells how many requests it has answered with a pipe. */
export const countPath = "/count"

const requestId = "7c0b2f4a-95d1-4f0e-8f43-2f6f0c1d9e10"

/** The envelope of an answer. */
export const envelope = (result: Schema.Json) => ({ status: 200, requestId, result })

/** The pipe that everybody asks for. */
export const servedPipe = fullPipe
