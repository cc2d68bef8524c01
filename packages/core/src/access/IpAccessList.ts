import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as IpInterface from "effect/net/IpInterface"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { refuseUnknownFields } from "../error/knownFields.ts"

/** What this uses of `URL`, which every runtime of JavaScript has: the types of this package are those of the language alone. */
declare const URL: { readonly canParse: (text: string) => boolean }

/** Converts an IPv4 block in mapped IPv6 notation (`::ffff:192.0.2.0/120`) to the IPv4 block. */
const canonical = (network: IpNetwork.IpNetwork): IpNetwork.IpNetwork => {
  const { address, prefixLength } = network
  return NetAddress.isIpv6Address(address) && NetAddress.isIpv4Mapped(address) && prefixLength >= 96
    ? IpNetwork.makeUnsafe(NetAddress.toCanonical(address), prefixLength - 96)
    : network
}

/**
 * The network that a source names: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::1` or `2001:db8::/32`. Host bits are
 * ignored (`192.0.2.7/24` is `192.0.2.0/24`). `undefined` if it names no network.
 */
const networkOf = (source: string): IpNetwork.IpNetwork | undefined => {
  const parsed = source.includes("/")
    ? IpInterface.fromString(source)
    : Result.flatMap(NetAddress.ipFromString(source), (address) => IpInterface.make(address, NetAddress.width(address)))
  const network = Result.getOrUndefined(Result.map(parsed, IpNetwork.fromInterface))
  return network === undefined ? undefined : canonical(network)
}

const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
const ipv4 = `(?:${octet}\\.){3}${octet}`
const ipv4Source = new RegExp(`^${ipv4}(?:/(?:3[0-2]|[12]?\\d))?$`)
const prefixOfIpv6 = /\/(?:12[0-8]|1[01]\d|[1-9]?\d)$/

const isIpv6Address = (text: string): boolean => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)

// Eight groups of which the last two are an IPv4 address, and a prefix.
const longestSource = 49

// Without the addresses of effect, which `isAddressAllowed` needs: a client checks the sources of a request alone.
const isSource = (source: string): boolean =>
  source.length <= longestSource && (ipv4Source.test(source) || isIpv6Address(source.replace(prefixOfIpv6, "")))

const sourceExample = "Expected an IPv4 or IPv6 address or CIDR block such as 192.0.2.0/24 or 2001:db8::/32"

/**
 * One entry of an IP access list in a response: `source` is any string. Contract:
 * docs/wire-contract.md#fields-of-an-api-key, `ipAccessList[]`. In a request it is an {@link IpAccessListEntryCreate}.
 */
export const IpAccessListEntry = looseStruct({
  source: Schema.String.annotate({ description: "An IPv4 or IPv6 address, or a CIDR block." }),
  description: nullish(Schema.String, "What the address is for.")
}).pipe(withIdentifier("IpAccessListEntry", "An entry of the IP access list of a key."))
export type IpAccessListEntry = typeof IpAccessListEntry.Type

/**
 * One entry of an IP access list in a request: `source` must name addresses, and its host bits are ignored
 * (`192.0.2.7/24` is `192.0.2.0/24`). Contract: docs/wire-contract.md#create-an-api-key.
 *
 * @example
 * ```ts
 * import type { IpAccessListEntryCreate } from "@headgate/core"
 *
 * export const office: ReadonlyArray<IpAccessListEntryCreate> = [
 *   { source: "192.0.2.0/24", description: "office" },
 *   { source: "2001:db8::1" }
 * ]
 * ```
 */
export const IpAccessListEntryCreate = looseStruct({
  source: Schema.String.annotate({
    description: "An IPv4 or IPv6 address, or a CIDR block. Host bits are ignored.",
    examples: ["192.0.2.1", "192.0.2.0/24", "2001:db8::/32"]
  }).check(
    Schema.makeFilter((source: string) => isSource(source) || sourceExample, {
      expected: "an IP source",
      // The characters of every source; a valid one has more rules than a pattern can say.
      toJsonSchema: () => [{ pattern: "^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$" }, true]
    })
  ),
  description: nullish(Schema.String, "What the address is for.")
}).pipe(refuseUnknownFields, withIdentifier("IpAccessListEntryCreate", "An entry of the IP access list of a new key."))
export type IpAccessListEntryCreate = typeof IpAccessListEntryCreate.Type

/**
 * Whether a key may be used from an address. Without a list every address is allowed, with an empty list none. A mapped
 * IPv6 address (`::ffff:192.0.2.1`) counts as IPv4, in the list too. An unknown address is in no list. Contract:
 * docs/wire-contract.md#fields-of-an-api-key, `ipAccessList`; the rules are decided.
 */
export const isAddressAllowed = (
  list: ReadonlyArray<IpAccessListEntry> | null | undefined,
  address: string | undefined
): boolean => {
  if (list === undefined || list === null) return true
  const parsed = address === undefined ? undefined : Result.getOrUndefined(NetAddress.ipFromString(address))
  if (parsed === undefined) return false
  const canonicalAddress = NetAddress.toCanonical(parsed)
  return list.some(({ source }) => {
    const network = networkOf(source)
    return network !== undefined && IpNetwork.contains(network, canonicalAddress)
  })
}
