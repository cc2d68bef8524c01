import * as Schema from "effect/Schema"
import { OrganizationId } from "../access/OrganizationId.ts"
import { PipeId } from "./PipeId.ts"
import { ServiceId } from "./ServiceId.ts"

/** Where a pipe lives: the three path parameters of the pipe operations. Contract: section 4.1. */
export const PipeAddress = Schema.Struct({
  organizationId: OrganizationId,
  serviceId: ServiceId,
  pipeId: PipeId
})
export type PipeAddress = typeof PipeAddress.Type
