import * as Schema from "effect/Schema"
import { callFields } from "../error/CallFields.ts"
import { PipeAddress } from "./PipeAddress.ts"

/** There is no such pipe in that service of that organization (HTTP 404). */
export class PipeNotFound extends Schema.TaggedError<PipeNotFound>("@headgate/core/pipe/PipeNotFound")("PipeNotFound", {
  ...callFields,
  address: PipeAddress
}) {}
