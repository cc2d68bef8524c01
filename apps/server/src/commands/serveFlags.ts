import { OrganizationLimits, type OrganizationUsage, organizationUsage, StepLength } from "@headgate/core/adapter"
import { dialectNames, dialects } from "@headgate/http-contract"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Flag from "effect/cli/Flag"
import type * as IpNetwork from "effect/net/IpNetwork"
import { adminFlags } from "../admin/adminToken.ts"
import { chartFlags } from "../chart/chartFlags.ts"
import { demoFlags } from "../demo/demoFlags.ts"
import { type FlagValues, parseDuration, parseNetwork, parseOrigin, parseRateLimit, type RateLimit } from "../flags.ts"
import { isGateway, upstreamDeadline, upstreamFlags, type UpstreamOptions } from "../gateway/gatewayFlags.ts"
import { moverFlags } from "../mover/moverFlags.ts"
import { accessLogFormats } from "../observability/AccessLog.ts"
import { storeFlags } from "../store/chooseStore.ts"
import type { DocumentReader } from "../store/importDocument.ts"

const defaultLimits = OrganizationLimits.defaultValue()

// Redacted: the URL may hold a password.
const collector = (endpoint: Redacted.Redacted): Option.Option<URL> => {
  const text = Redacted.value(endpoint)
  const url = URL.canParse(text) ? new URL(text) : undefined
  return Option.filter(Option.fromUndefinedOr(url), ({ protocol }) => protocol === "http:" || protocol === "https:")
}

const time = (name: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("time"),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseDuration(text)),
      () => "a time such as 500ms, 5s or 1m"
    )
  )

/** A flag that is given once for each network. */
const networks = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("cidr"),
    Flag.withDescription(description),
    Flag.filterMap(parseNetwork, () => "an address or CIDR block such as 10.0.0.0/8"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<IpNetwork.IpNetwork>>([])
  )

/** The flags for operating a server: observability and shutdown. */
export const operationFlags = {
  accessLog: Flag.Literals("access-log", accessLogFormats).pipe(
    Flag.withDescription("One line for each request on stdout: auto is pretty at a terminal, else JSON"),
    Flag.withDefault("auto" as const)
  ),
  metricsFrom: networks(
    "metrics-from",
    "Network that may read /metrics; repeat the flag for more (default: programs on this machine)"
  ),
  otlpEndpoint: Flag.Redacted("otlp-endpoint").pipe(
    Flag.withMetavar("http://..."),
    Flag.withDescription("Send traces to this OpenTelemetry collector (OTLP over HTTP) [OTEL_EXPORTER_OTLP_ENDPOINT]"),
    Flag.withFallbackConfig(Config.Redacted("OTEL_EXPORTER_OTLP_ENDPOINT")),
    Flag.filterMap(collector, () => "a URL such as http://localhost:4318"),
    Flag.optional
  ),
  drainDelay: time("drain-delay").pipe(
    Flag.withDescription("After SIGTERM, serve for this long while /readyz answers 503, such as 5s (default: 0s)"),
    Flag.withDefault(Duration.zero)
  ),
  shutdownGrace: time("shutdown-grace").pipe(
    Flag.withDescription(
      "How long requests in flight may then take before they are cut (default: 10s; for a gateway --upstream-timeout plus 1s)"
    ),
    Flag.optional
  )
}

export type OperationOptions = FlagValues<typeof operationFlags>

const defaultGrace = Duration.seconds(10)

/** The time to write an answer after the upstream has answered or timed out. */
const timeToAnswer = Duration.seconds(1)

/** How long requests in flight may take at shutdown: `--shutdown-grace`, or long enough for an answer of the upstream. */
export const shutdownGrace = (options: OperationOptions & UpstreamOptions): Duration.Duration =>
  Option.getOrElse(options.shutdownGrace, () =>
    isGateway(options)
      ? Duration.max(defaultGrace, Duration.sum(upstreamDeadline(options), timeToAnswer))
      : defaultGrace
  )

const rateLimit = (text: string): Option.Option<Option.Option<RateLimit>> =>
  text === "off" ? Option.some(Option.none()) : Option.map(Option.fromUndefinedOr(parseRateLimit(text)), Option.some)

/** A limit of an organization: a number, 0 for none. */
const organizationLimit = (name: string, description: string, value: number) =>
  Flag.Int(name).pipe(
    Flag.withMetavar("number"),
    Flag.withDescription(`${description} of an organization, then 409; 0 for no limit (default: ${value})`),
    Flag.filter(
      (limit) => limit >= 0,
      () => "a whole number, or 0 for no limit"
    ),
    Flag.withDefault(value),
    Flag.map((limit) => (limit === 0 ? Infinity : limit))
  )

/** The most that callers may create. Imports are not limited. */
const limitFlags = {
  maxKeys: organizationLimit("max-keys", "API keys", defaultLimits.keys),
  maxDashboards: organizationLimit("max-dashboards", "Dashboards", defaultLimits.dashboards),
  maxPipes: organizationLimit("max-pipes", "Pipes", defaultLimits.pipes),
  maxRoles: organizationLimit("max-roles", "Custom roles", defaultLimits.roles),
  maxOthers: organizationLimit(
    "max-others",
    "Private endpoints, connections, sources, saved searches, webhooks, alerts and roles of dashboards, of each kind,",
    defaultLimits.endpoints
  ),
  maxDocuments: organizationLimit("max-documents", "Bytes of all documents as JSON", defaultLimits.documentBytes)
}

/** What the limits of an organization are for callers of the server. */
export const organizationLimits = ({
  maxDashboards,
  maxDocuments,
  maxKeys,
  maxOthers,
  maxPipes,
  maxRoles
}: FlagValues<typeof limitFlags>): OrganizationUsage => ({
  ...organizationUsage(maxOthers),
  keys: maxKeys,
  pipes: maxPipes,
  roles: maxRoles,
  dashboards: maxDashboards,
  documentBytes: maxDocuments
})

export const flags = {
  ...storeFlags,
  ...limitFlags,
  ...upstreamFlags,
  ...operationFlags,
  ...moverFlags,
  ...chartFlags,
  ...demoFlags,
  ...adminFlags,
  memory: Flag.Boolean("memory").pipe(
    Flag.withDescription("Keep everything in memory: lost when the server ends"),
    Flag.withDefault(false)
  ),
  host: Flag.String("host").pipe(
    Flag.withMetavar("address"),
    Flag.withDescription("Address to listen on; other than loopback it needs TLS or --insecure-http"),
    Flag.withDefault("127.0.0.1")
  ),
  port: Flag.Int("port").pipe(
    Flag.withMetavar("number"),
    Flag.withDescription("Port to listen on; 0 picks a free one"),
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      () => "a port from 0 to 65535"
    ),
    Flag.withDefault(7420)
  ),
  tlsCert: Flag.String("tls-cert").pipe(
    Flag.withMetavar("file.pem"),
    Flag.withDescription("Serve https with this certificate chain; SIGHUP reloads it"),
    Flag.optional
  ),
  tlsKey: Flag.String("tls-key").pipe(
    Flag.withMetavar("file.pem"),
    Flag.withDescription("The private key of --tls-cert"),
    Flag.optional
  ),
  insecureHttp: Flag.Boolean("insecure-http").pipe(
    Flag.withDescription("Serve plain http on an address that is not loopback: credentials travel in clear"),
    Flag.withDefault(false)
  ),
  trustProxy: networks("trust-proxy", "Trust X-Forwarded-For of proxies in this network; repeat the flag for more"),
  publicUrl: Flag.String("public-url").pipe(
    Flag.withMetavar("https://..."),
    Flag.withDescription(
      "What a proxy in front of this server is called, for sessions of the console; repeat the flag for more"
    ),
    Flag.filterMap(parseOrigin, () => "an http or https URL without a path, such as https://headgate.example.com"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<URL>>([])
  ),
  rateLimit: Flag.String("rate-limit").pipe(
    Flag.withMetavar("count/time"),
    Flag.withDescription("Requests allowed to each key or token, such as 10/10s (default: off)"),
    Flag.filterMap(rateLimit, () => "off, or a count and a time such as 10/10s"),
    Flag.withDefault(Option.none<RateLimit>())
  ),
  loginLimit: Flag.String("login-limit").pipe(
    Flag.withMetavar("count/time"),
    Flag.withDescription(
      "Failed logins of each address with each key ID, then 429 (default: 20/m; off for none); good credentials always work"
    ),
    Flag.filterMap(rateLimit, () => "off, or a count and a time such as 20/m"),
    Flag.withDefault(Option.fromUndefinedOr(parseRateLimit("20/m")))
  ),
  dialect: Flag.Literals("dialect", dialectNames).pipe(
    Flag.withDescription("The names on the wire: dbpipes or clickpipes"),
    Flag.withDefault("neutral" as const)
  ),
  console: Flag.Literals("console", ["on", "off"]).pipe(
    Flag.withDescription("Serve the pages of the console below /console; they need the credentials that the API needs"),
    Flag.withDefault("on" as const)
  ),
  unknownFields: Flag.Literals("unknown-fields", ["refuse", "keep"]).pipe(
    Flag.withDescription(
      "Unknown fields in the source of a pipe: refuse them (400), or keep them sealed, in no answer, for clients newer than this server"
    ),
    Flag.withDefault("refuse" as const)
  ),
  step: time("step").pipe(
    Flag.withDescription("How long pipes and services stay in each passing state, such as 2s (default: 500ms)"),
    Flag.withDefault(StepLength.defaultValue())
  ),
  import: Flag.String("import").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription("Add what this snapshot holds and the store does not; importing twice changes nothing"),
    Flag.optional
  ),
  testCredentials: Flag.Boolean("test-credentials").pipe(
    Flag.withDescription(
      "For tests: an organization, a key and a token that everybody knows; with --memory, or in a store that is made with this flag"
    ),
    Flag.withDefault(false)
  ),
  readyFile: Flag.String("ready-file").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription("Write the URL to this file once the server takes requests, and remove it at the end"),
    Flag.optional
  ),
  credentialsFile: Flag.String("credentials-file").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription(
      "Write new credentials to this file, readable by its owner only (0600), instead of printing them"
    ),
    Flag.optional
  )
}

export type Options = FlagValues<typeof flags>

/** How this server reads snapshot documents. */
export const documentReader = (options: Options): DocumentReader => ({
  dialect: dialects[options.dialect],
  isGateway: isGateway(options),
  takesTestCredentials: options.testCredentials
})

/** Whether the server has the console: a gateway stores no sessions, and a mover serves no API. */
export const hasConsole = (options: Options): boolean =>
  options.console === "on" && !isGateway(options) && options.role !== "mover"
