import { OrganizationId } from "@headgate/core"
import { dialectNames } from "@headgate/http-contract"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Flag from "effect/cli/Flag"
import { expectedUuid, type FlagValues } from "../flags.ts"

/** The flags of a gateway: which API stands behind it, and with which credentials. */
export const upstreamFlags = {
  upstream: Flag.String("upstream").pipe(
    Flag.withMetavar("https://..."),
    Flag.withDescription("Be a gateway: let local keys in, and send what they may do to this API [HEADGATE_UPSTREAM]"),
    Flag.withFallbackConfig(Config.String("HEADGATE_UPSTREAM")),
    Flag.optional
  ),
  upstreamOrganization: Flag.String("upstream-organization").pipe(
    Flag.withMetavar("uuid"),
    Flag.withDescription("The organization that the upstream credentials belong to [HEADGATE_UPSTREAM_ORGANIZATION]"),
    Flag.withFallbackConfig(Config.String("HEADGATE_UPSTREAM_ORGANIZATION")),
    Flag.filterMap(Schema.decodeUnknownOption(OrganizationId), expectedUuid),
    Flag.optional
  ),
  upstreamKeyId: Flag.String("upstream-key-id").pipe(
    Flag.withMetavar("id"),
    Flag.withDescription("The ID of the upstream API key [HEADGATE_UPSTREAM_KEY_ID]"),
    Flag.withFallbackConfig(Config.String("HEADGATE_UPSTREAM_KEY_ID")),
    Flag.optional
  ),
  upstreamKeySecret: Flag.Redacted("upstream-key-secret").pipe(
    Flag.withMetavar("secret"),
    Flag.withDescription("Its secret; better given as [HEADGATE_UPSTREAM_KEY_SECRET] or in a file"),
    Flag.withFallbackConfig(Config.Redacted("HEADGATE_UPSTREAM_KEY_SECRET")),
    Flag.optional
  ),
  upstreamToken: Flag.Redacted("upstream-token").pipe(
    Flag.withMetavar("token"),
    Flag.withDescription("The bearer token for dashboards; without one there are none [HEADGATE_UPSTREAM_TOKEN]"),
    Flag.withFallbackConfig(Config.Redacted("HEADGATE_UPSTREAM_TOKEN")),
    Flag.optional
  ),
  upstreamCredentials: Flag.String("upstream-credentials").pipe(
    Flag.withMetavar("file.json"),
    Flag.withDescription('Read {"keyId", "keySecret", "token"} from this file instead [HEADGATE_UPSTREAM_CREDENTIALS]'),
    Flag.withFallbackConfig(Config.String("HEADGATE_UPSTREAM_CREDENTIALS")),
    Flag.optional
  ),
  upstreamObservability: Flag.String("upstream-observability").pipe(
    Flag.withMetavar("https://..."),
    Flag.withDescription(
      "The upstream observability API, if it is elsewhere than --upstream [HEADGATE_UPSTREAM_OBSERVABILITY]"
    ),
    Flag.withFallbackConfig(Config.String("HEADGATE_UPSTREAM_OBSERVABILITY")),
    Flag.optional
  ),
  upstreamDialect: Flag.Literals("upstream-dialect", dialectNames).pipe(
    Flag.withDescription("How the upstream spells its names (default: as --dialect)"),
    Flag.optional
  ),
  upstreamTimeout: Flag.Int("upstream-timeout").pipe(
    Flag.withMetavar("seconds"),
    Flag.withDescription("How long the upstream may take for an answer (default: 25)"),
    Flag.filter(
      // Node's fetch waits no longer than 300 seconds for the head of an answer.
      (seconds) => seconds >= 1 && seconds <= 290,
      () => "1 to 290 seconds"
    ),
    Flag.optional
  ),
  upstreamInsecureHttp: Flag.Boolean("upstream-insecure-http").pipe(
    Flag.withDescription("Reach an upstream beyond loopback over plain http: its credentials travel in clear"),
    Flag.withDefault(false)
  )
}

/** What the command line says of the upstream, parsed. */
export type UpstreamOptions = FlagValues<typeof upstreamFlags>

/** How long the upstream may take for an answer. */
export const upstreamDeadline = ({ upstreamTimeout }: UpstreamOptions): Duration.Duration =>
  Duration.seconds(Option.getOrElse(upstreamTimeout, () => 25))

/** Whether the server is a gateway. */
export const isGateway = ({ upstream }: UpstreamOptions): boolean => Option.isSome(upstream)

const flagNames = {
  upstreamOrganization: "--upstream-organization",
  upstreamKeyId: "--upstream-key-id",
  upstreamKeySecret: "--upstream-key-secret",
  upstreamToken: "--upstream-token",
  upstreamCredentials: "--upstream-credentials",
  upstreamObservability: "--upstream-observability",
  upstreamDialect: "--upstream-dialect",
  upstreamTimeout: "--upstream-timeout"
} as const satisfies { readonly [Name in Exclude<keyof UpstreamOptions, "upstream" | "upstreamInsecureHttp">]: string }

/** A flag that speaks of an upstream where there is none; none if there is no such flag. */
export const upstreamFlagAlone = (options: UpstreamOptions): string | undefined => {
  if (isGateway(options)) return undefined
  if (options.upstreamInsecureHttp) return "--upstream-insecure-http"
  const given = Struct.keys(flagNames).find((name) => options[name]._tag === "Some")
  return given && flagNames[given]
}
