import type { AllowedSource } from "@headgate/mover-runtime"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import { isIP, isIPv6 } from "node:net"

const hostName = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.?$/iu

/** Parses the name of a host, an address or a CIDR block. */
export const parseAllowed = (text: string): Option.Option<AllowedSource> => {
  const [network = "", prefix, ...more] = text.split("/")
  const bits = isIPv6(network) ? 128 : 32
  if (isIP(network) !== 0 && more.length === 0) {
    const length = prefix === undefined ? bits : /^\d{1,3}$/u.test(prefix) ? Number(prefix) : Infinity
    return length <= bits ? Option.some({ network, prefix: length }) : Option.none()
  }
  return hostName.test(text) && text.length <= 253
    ? Option.some({ host: text.replace(/\.$/u, "").toLowerCase() })
    : Option.none()
}

/** A network of one address as a URL writes its host. */
export const addressOf = (one: { readonly network: string; readonly prefix: number }): Option.Option<string> => {
  const isV6 = isIPv6(one.network)
  if (one.prefix !== (isV6 ? 128 : 32)) return Option.none()
  return Option.some(new URL(`http://${isV6 ? `[${one.network}]` : one.network}`).hostname)
}

/** A flag that allows hosts and networks, none by default. */
export const allowedFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("host|cidr"),
    Flag.withDescription(description),
    Flag.filterMap(parseAllowed, () => "the name of a host, an address or a CIDR block such as 10.0.0.0/8"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<AllowedSource>>([])
  )
