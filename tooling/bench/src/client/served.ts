import { basic, type Organization, pipePath } from "@headgate/harness/Snapshot"
import type * as Schema from "effect/Schema"

/** The organization that the server of the benchmark knows. */
export const organization: Organization = {
  id: "a0000000-0000-4000-8000-000000000001",
  serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
  keyId: "bench-key-id",
  keySecret: "bench-key-secret",
  token: ""
}
export const authorization = basic(organization.keyId, organization.keySecret)

/** The pipes that the server answers with. */
export const pipeIds = {
  full: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  /** Its name is a number. */
  wrong: "6f1c2d3e-4b5a-4c7d-8e9f-000000000400",
  /** Every second answer is a 503. */
  unsteady: "6f1c2d3e-4b5a-4c7d-8e9f-000000000503"
}

export const pathOf = (pipeId: string): string => pipePath(organization, pipeId)

/** Answers how many requests were answered with the full pipe. */
export const countPath = "/count"

const requestId = "7c0b2f4a-95d1-4f0e-8f43-2f6f0c1d9e10"

export const envelope = (result: Schema.Json) => ({ status: 200, requestId, result })
