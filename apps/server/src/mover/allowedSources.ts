import { type AllowedSources, isLinkLocal, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { lookup } from "node:dns/promises"
import { BlockList, isIP, isIPv6 } from "node:net"

/** A host or a network that pipes may read from. */
export type AllowedSource = { readonly host: string } | { readonly network: string; readonly prefix: number }

const hostName = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.?$/iu

const bare = (host: string): string =>
  host
    .replace(/^\[|\]$/gu, "")
    .replace(/\.$/u, "")
    .toLowerCase()

/** Parses the name of a host, an address or a CIDR block. */
export const parseAllowed = (text: string): Option.Option<AllowedSource> => {
  const [network = "", prefix, ...more] = text.split("/")
  const bits = isIPv6(network) ? 128 : 32
  if (isIP(network) !== 0 && more.length === 0) {
    const length = prefix === undefined ? bits : /^\d{1,3}$/u.test(prefix) ? Number(prefix) : Infinity
    return length <= bits ? Option.some({ network, prefix: length }) : Option.none()
  }
  return hostName.test(text) && text.length <= 253 ? Option.some({ host: bare(text) }) : Option.none()
}

/** A network of one address as a URL writes its host. */
export const addressOf = (one: { readonly network: string; readonly prefix: number }): Option.Option<string> => {
  const isV6 = isIPv6(one.network)
  if (one.prefix !== (isV6 ? 128 : 32)) return Option.none()
  return Option.some(new URL(`http://${isV6 ? `[${one.network}]` : one.network}`).hostname)
}

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

/** Without `allowed`, every address is allowed but those that are link-local, which never are. */
export const makeAllowedSources = (
  allowed: ReadonlyArray<AllowedSource>,
  trustedStorages: ReadonlyArray<string> = []
): AllowedSources => {
  const hosts = new Set(allowed.flatMap((one) => ("host" in one ? [one.host] : [])))
  const networks = new BlockList()
  const isAny = allowed.length === 0
  const hasNetworks = allowed.some((one) => "network" in one)
  for (const one of allowed) if ("network" in one) networks.addSubnet(one.network, one.prefix, familyOf(one.network))

  const refusalOfAddress = (host: string, address: string): string | undefined => {
    if (isLinkLocal(address)) return `${host} is a link-local address, which no pipe reads from`
    if (isAny || hosts.has(host) || networks.check(address, familyOf(address))) return undefined
    return `${host} is not among the hosts that this server reads from (--allow-source)`
  }
  const refusal = (text: string): string | undefined => {
    const host = bare(text)
    if (isIP(host) !== 0) return refusalOfAddress(host, host)
    return isAny || hasNetworks || hosts.has(host)
      ? undefined
      : `${host} is not among the hosts that this server reads from (--allow-source)`
  }
  const resolve = Effect.fnUntraced(function* (text: string) {
    const host = bare(text)
    const addresses =
      isIP(host) === 0
        ? yield* Effect.tryPromise({
            try: () => lookup(host, { all: true, order: "verbatim" }),
            catch: (error) => {
              const code = Predicate.hasProperty(error, "code") ? String(error.code) : "no answer"
              return new SourceError({ message: `the name ${host} cannot be resolved: ${code}` })
            }
          })
        : [{ address: host }]
    const [first] = addresses
    if (first === undefined) return yield* new SourceError({ message: `the name ${host} has no address` })
    // One wrong address is enough: a name that leads to both is no accident.
    for (const { address } of addresses) {
      const message = refusalOfAddress(host, address)
      if (message !== undefined) return yield* new SourceError({ message })
    }
    return first.address
  })
  return { refusal, resolve, trustedStorages }
}
