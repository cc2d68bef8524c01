import { dialectNames } from "@headgate/http-contract"
import * as Config from "effect/Config"
import * as Flag from "effect/cli/Flag"
import type * as IpNetwork from "effect/net/IpNetwork"
import * as Option from "effect/Option"
import { parseNetwork } from "./access/parseNetwork.ts"
import { parseRateLimit, type RateLimit } from "./access/RateLimit.ts"
import type { FlagValues } from "./FlagValues.ts"
import { operationFlags } from "./operation/OperationOptions.ts"
import { storeFlags } from "./store/StoreOptions.ts"
import { upstreamFlags } from "./upstream/UpstreamOptions.ts"

const rateLimit = (text: string): Option.Option<Option.Option<RateLimit>> =>
  text === "off" ? Option.some(Option.none()) : Option.map(Option.fromUndefinedOr(parseRateLimit(text)), Option.some)

/** The flags of `headgate-server`. */
export const flags = {
  ...storeFlags,
  ...upstreamFlags,
  ...operationFlags,
  memory: Flag.Boolean("memory").pipe(
    Flag.withDescription("Keep everything in memory: gone when the server ends"),
    Flag.withDefault(false)
  ),
  host: Flag.String("host").pipe(
    Flag.withMetavar("address"),
    Flag.withDescription("Address to listen on; any but a loopback one wants TLS or --insecure-http"),
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
    Flag.withDescription("Serve https with this certificate chain; read again on SIGHUP"),
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
  trustProxy: Flag.String("trust-proxy").pipe(
    Flag.withMetavar("cidr"),
    Flag.withDescription("Believe X-Forwarded-For when it comes from here; repeat it for more"),
    Flag.filterMap(parseNetwork, () => "an address or CIDR block such as 10.0.0.0/8"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<IpNetwork.IpNetwork>>([])
  ),
  rateLimit: Flag.String("rate-limit").pipe(
    Flag.withMetavar("count/time"),
    Flag.withDescription("Requests allowed to each key or token, such as 10/10s (default: off)"),
    Flag.filterMap(rateLimit, () => "off, or a count and a time such as 10/10s"),
    Flag.withDefault(Option.none<RateLimit>())
  ),
  loginLimit: Flag.String("login-limit").pipe(
    Flag.withMetavar("count/time"),
    Flag.withDescription("Failed logins allowed to each address (default: 20/m; off for none)"),
    Flag.filterMap(rateLimit, () => "off, or a count and a time such as 20/m"),
    Flag.withDefault(Option.fromUndefinedOr(parseRateLimit("20/m")))
  ),
  redisUrl: Flag.Redacted("redis-url").pipe(
    Flag.withMetavar("redis://..."),
    Flag.withDescription("Keep rate windows in this Redis, for servers that share them [HEADGATE_REDIS_URL]"),
    Flag.withFallbackConfig(Config.Redacted("HEADGATE_REDIS_URL")),
    Flag.optional
  ),
  dialect: Flag.Literals("dialect", dialectNames).pipe(
    Flag.withDescription("How names are spelled on the wire: dbpipes or clickpipes"),
    Flag.withDefault("neutral" as const)
  ),
  import: Flag.String("import").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription("Add what this snapshot holds and the store does not; importing twice changes nothing"),
    Flag.optional
  ),
  admin: Flag.Boolean("admin").pipe(
    Flag.withDescription("For tests, on loopback only: reset, seed, a journal of requests and faults at /_admin"),
    Flag.withDefault(false)
  ),
  adminPostgres: Flag.Boolean("admin-postgres").pipe(
    Flag.withDescription("Accept --admin over Postgres: a reset takes from all who share the database"),
    Flag.withDefault(false)
  ),
  credentialsFile: Flag.String("credentials-file").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription(
      "Write newly minted credentials to this file, readable by its owner only (0600), instead of printing them"
    ),
    Flag.optional
  )
}

/** What the command line says, parsed. */
export type Options = FlagValues<typeof flags>
