import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"

interface Embedding {
  readonly network: IpNetwork.IpNetwork
  /** At which bytes the address of IPv4 stands. Several: the network does not say which. */
  readonly places: ReadonlyArray<readonly [number, number, number, number]>
  readonly isInverted?: true
}

const last = [12, 13, 14, 15] as const

/** The networks of IPv6 whose addresses lead to one of IPv4. */
const embeddings: ReadonlyArray<Embedding> = [
  // Compatible, mapped and translated addresses.
  { network: IpNetwork.fromStringUnsafe("::/96"), places: [last] },
  { network: IpNetwork.fromStringUnsafe("::ffff:0:0/96"), places: [last] },
  { network: IpNetwork.fromStringUnsafe("::ffff:0:0:0/96"), places: [last] },
  // NAT64. A local network chooses the length of its prefix, and byte 8 is no part of the address (RFC 6052).
  { network: IpNetwork.fromStringUnsafe("64:ff9b::/96"), places: [last] },
  {
    network: IpNetwork.fromStringUnsafe("64:ff9b:1::/48"),
    places: [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], last]
  },
  // 6to4.
  { network: IpNetwork.fromStringUnsafe("2002::/16"), places: [[2, 3, 4, 5]] },
  // Teredo: its server, and its client.
  { network: IpNetwork.fromStringUnsafe("2001::/32"), places: [[4, 5, 6, 7]] },
  { network: IpNetwork.fromStringUnsafe("2001::/32"), places: [last], isInverted: true }
]

/**
 * The addresses of IPv4 to which one of IPv6 leads where a network translates it: mapped, compatible, NAT64, 6to4 and Teredo.
 *
 * @example
 * ```ts
 * import { embeddedIpv4 } from "@headgate/core/adapter"
 * import * as NetAddress from "effect/net/NetAddress"
 * import * as Result from "effect/Result"
 *
 * const address = Result.getOrThrow(NetAddress.ipv6FromString("64:ff9b::192.0.2.1"))
 * console.log(embeddedIpv4(address).map(NetAddress.formatIp)) // [ '192.0.2.1' ]
 * ```
 */
export const embeddedIpv4 = (address: NetAddress.Ipv6Address): ReadonlyArray<NetAddress.Ipv4Address> => {
  const bytes = NetAddress.ipv6ToOctets(address)
  return embeddings
    .filter(({ network }) => IpNetwork.contains(network, address))
    .flatMap(({ isInverted = false, places }) =>
      places.map((at) =>
        NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(at, (place) => (bytes[place] ?? 0) ^ (isInverted ? 0xff : 0)))
      )
    )
}
