import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { isGateway, upstreamDeadline, type UpstreamOptions } from "../upstream/UpstreamOptions.ts"
import type { OperationOptions } from "./OperationOptions.ts"

const usual = Duration.seconds(10)

// What the upstream answers last of all, or that it does not, is still to be told.
const toTell = Duration.seconds(1)

/** How long what runs may take to end: as `--shutdown-grace` says, else long enough for the upstream, if there is one. */
export const shutdownGrace = (options: OperationOptions & UpstreamOptions): Duration.Duration =>
  Option.getOrElse(options.shutdownGrace, () =>
    isGateway(options) ? Duration.max(usual, Duration.sum(upstreamDeadline(options), toTell)) : usual
  )
