import * as Flag from "effect/cli/Flag"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { parseNetwork } from "../access/parseNetwork.ts"
import { accessLogFormats } from "../log/AccessLog.ts"
import { loopback } from "../telemetry/MetricsRoute.ts"
import { parseDuration } from "./parseDuration.ts"

/** The flags of whoever operates a server: how it is watched and how it ends. */
export const operationFlags = {
  accessLog: Flag.Literals("access-log", accessLogFormats).pipe(
    Flag.withDescription("One line for each request on stdout: auto is pretty at a terminal, else JSON"),
    Flag.withDefault("auto" as const)
  ),
  metricsFrom: Flag.String("metrics-from").pipe(
    Flag.withMetavar("cidr"),
    Flag.withDescription("Who may read /metrics; repeat it for more (default: callers of this machine)"),
    Flag.filterMap(
      parseNetwork,
      (text) => `--metrics-from ${text}: expected an address or CIDR block such as 10.0.0.0/8`
    ),
    Flag.atLeast(1),
    Flag.withDefault(loopback)
  ),
  drainDelay: Flag.String("drain-delay").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription("After SIGTERM, go on for this long while /readyz says 503, such as 5s (default: 0s)"),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseDuration(text)),
      (text) => `--drain-delay ${text}: expected a time such as 500ms, 5s or 1m`
    ),
    Flag.withDefault(Duration.zero)
  )
}
