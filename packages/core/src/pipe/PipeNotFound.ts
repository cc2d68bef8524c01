import * as Schema from "effect/Schema"
import { callFields } from "../error/CallFields.ts"
import { PipeAddress } from "./PipeAddress.ts"

/** There is no such pipe in that service of that organization (HTTP 404). */
export class PipeNotFound extends Schema.TaggedError<PipeNotFound>("@headgate/core/pipe/PipeNotFound")("PipeNotFound", {
  ...callFields,
  address: PipeAddress
}) {}

/** The error of a store that holds no pipe at an address. */
export const pipeNotFound = (address: PipeAddress): PipeNotFound =>
  new PipeNotFound({ message: `the service has no pipe ${address.pipeId}`, address })
