import { dialectNames } from "@headgate/http-contract"
import * as Flag from "effect/cli/Flag"
import { identity } from "effect/Function"
import * as Redacted from "effect/Redacted"
import * as Setting from "./Setting.ts"

const text = <const Name extends string>(name: Name, variable: string, metavar: string, description: string) =>
  Setting.make({
    name,
    variable,
    metavar,
    flag: Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.optional),
    fromText: identity<string>
  })

const secret = <const Name extends string>(name: Name, variable: string, description: string) =>
  Setting.make({
    name,
    variable,
    metavar: "secret",
    flag: Flag.Redacted(name).pipe(Flag.withMetavar("secret"), Flag.withDescription(description), Flag.optional),
    fromText: (value) => Redacted.make(value)
  })

export const url = text("url", "HEADGATE_URL", "url", "Base URL of the management API")

export const observabilityUrl = text(
  "observability-url",
  "HEADGATE_OBSERVABILITY_URL",
  "url",
  "Base URL of the observability API, if not that of --url"
)

export const organization = text("organization", "HEADGATE_ORGANIZATION", "id", "Organization to work on")

export const service = text("service", "HEADGATE_SERVICE", "id", "Service that owns the pipes")

export const keyId = text("key-id", "HEADGATE_KEY_ID", "id", "ID of the API key to sign in with")

export const keySecret = secret("key-secret", "HEADGATE_KEY_SECRET", "Secret of that key; - reads a line of stdin")

export const token = secret("token", "HEADGATE_TOKEN", "Bearer token for dashboards; - reads a line of stdin")

export const dialect = Setting.make({
  name: "dialect",
  variable: "HEADGATE_DIALECT",
  metavar: "name",
  flag: Flag.Literals("dialect", dialectNames).pipe(
    Flag.withMetavar("name"),
    Flag.withDescription(`How names are spelled on the wire, ${dialectNames[0]} by default`),
    Flag.optional
  ),
  fromText: identity<string>
})

/** Where the dashboards are: with the rest, unless a URL of their own was given. */
export const dashboardsUrl = Setting.orElse(observabilityUrl, url)

/** Every setting that has an environment variable, in the order in which help lists them. */
export const settings = [url, observabilityUrl, organization, service, keyId, keySecret, token, dialect] as const
