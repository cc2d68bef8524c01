import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import * as Duration from "effect/Duration"
import type * as IpNetwork from "effect/net/IpNetwork"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { parseNetwork } from "../access/parseNetwork.ts"
import type { FlagValues } from "../FlagValues.ts"
import { accessLogFormats } from "../log/AccessLog.ts"
import { parseWorkers } from "../workers/parseWorkers.ts"
import { parseDuration } from "./parseDuration.ts"

// It may hold a password.
const collector = (endpoint: Redacted.Redacted): Option.Option<URL> => {
  const text = Redacted.value(endpoint)
  const url = URL.canParse(text) ? new URL(text) : undefined
  return Option.filter(Option.fromUndefinedOr(url), ({ protocol }) => protocol === "http:" || protocol === "https:")
}

/** The flags of whoever operates a server: how it is watched and how it ends. */
export const operationFlags = {
  workers: Flag.String("workers").pipe(
    Flag.withMetavar("number"),
    Flag.withDescription("Processes that serve, over one SQLite or Postgres; auto: one for each core (default: 1)"),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseWorkers(text)),
      () => "auto, or a number from 1 to 999"
    ),
    Flag.withDefault(1)
  ),
  accessLog: Flag.Literals("access-log", accessLogFormats).pipe(
    Flag.withDescription("One line for each request on stdout: auto is pretty at a terminal, else JSON"),
    Flag.withDefault("auto" as const)
  ),
  metricsFrom: Flag.String("metrics-from").pipe(
    Flag.withMetavar("cidr"),
    Flag.withDescription("Who may read /metrics; repeat it for more (default: programs of this machine)"),
    Flag.filterMap(parseNetwork, () => "an address or CIDR block such as 10.0.0.0/8"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<IpNetwork.IpNetwork>>([])
  ),
  otlpEndpoint: Flag.Redacted("otlp-endpoint").pipe(
    Flag.withMetavar("http://..."),
    Flag.withDescription("Send traces to this OpenTelemetry collector (OTLP over HTTP) [OTEL_EXPORTER_OTLP_ENDPOINT]"),
    Flag.withFallbackConfig(Config.Redacted("OTEL_EXPORTER_OTLP_ENDPOINT")),
    Flag.filterMap(collector, () => "a URL such as http://localhost:4318"),
    Flag.optional
  ),
  drainDelay: Flag.String("drain-delay").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription("After SIGTERM, go on for this long while /readyz says 503, such as 5s (default: 0s)"),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseDuration(text)),
      () => "a time such as 500ms, 5s or 1m"
    ),
    Flag.withDefault(Duration.zero)
  ),
  shutdownGrace: Flag.String("shutdown-grace").pipe(
    Flag.withMetavar("time"),
    Flag.withDescription(
      "How long running requests may then take, before they are cut (default: 10s; a gateway's: --upstream-timeout and 1s)"
    ),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseDuration(text)),
      () => "a time such as 500ms, 5s or 1m"
    ),
    Flag.optional
  )
}

/** What the command line says of operation, parsed. */
export type OperationOptions = FlagValues<typeof operationFlags>
