import { type AllowedSources, isLinkLocal, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { lookup } from "node:dns/promises"
import { BlockList, isIP, isIPv6 } from "node:net"

/** A host or a network that pipes may read from. */
export type AllowedSource = { readonly host: string } | { readonly network: string; readonly prefix: number }

const bare = (host: string): string =>
  host
    .replace(/^\[|\]$/gu, "")
    .replace(/\.$/u, "")
    .toLowerCase()

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4")

/** Who reads, for messages: the flag that allows it, and what reads. */
export interface Reader {
  readonly flag: string
  readonly noun: string
}

const pipes: Reader = { flag: "--allow-source", noun: "pipe" }

/** Without `allowed`, every address is allowed but those that are link-local, which never are. */
export const makeAllowedSources = (
  allowed: ReadonlyArray<AllowedSource>,
  trustedStorages: ReadonlyArray<string> = [],
  { flag, noun }: Reader = pipes
): AllowedSources => {
  const notAllowed = (host: string) => `${host} is not among the hosts that this server reads from (${flag})`
  const hosts = new Set(allowed.flatMap((one) => ("host" in one ? [one.host] : [])))
  const networks = new BlockList()
  const isAny = allowed.length === 0
  const hasNetworks = allowed.some((one) => "network" in one)
  for (const one of allowed) if ("network" in one) networks.addSubnet(one.network, one.prefix, familyOf(one.network))

  const refusalOfAddress = (host: string, address: string): string | undefined => {
    if (isLinkLocal(address)) return `${host} is a link-local address, which no ${noun} reads from`
    if (isAny || hosts.has(host) || networks.check(address, familyOf(address))) return undefined
    return notAllowed(host)
  }
  const refusal = (text: string): string | undefined => {
    const host = bare(text)
    if (isIP(host) !== 0) return refusalOfAddress(host, host)
    return isAny || hasNetworks || hosts.has(host) ? undefined : notAllowed(host)
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
