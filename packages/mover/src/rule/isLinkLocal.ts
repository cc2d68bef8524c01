import { embeddedIpv4 } from "@headgate/core/adapter"
import * as Result from "effect/Result"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"

/** At these the machines of clouds answer with their credentials. */
const refused = ["169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128"].map(IpNetwork.fromStringUnsafe)

const isRefused = (address: NetAddress.IpAddress): boolean =>
  refused.some((network) => IpNetwork.contains(network, address))

/**
 * Whether a host is an address at which the machines of clouds answer with their credentials, in any spelling: nothing that a pipe
 * names may lead there. One of IPv6 is also if it holds such an address of IPv4 (mapped, compatible, NAT64, 6to4, Teredo). The name of
 * a host is not looked up.
 *
 * @example
 * ```ts
 * import { isLinkLocal } from "@headgate/mover"
 *
 * console.log(isLinkLocal("169.254.169.254")) // true
 * console.log(isLinkLocal("[64:ff9b::169.254.169.254]")) // true
 * console.log(isLinkLocal("storage.example.com")) // false
 * ```
 */
export const isLinkLocal = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/u, "$1").replace(/%[^]*$/u, "")
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}`
  // `URL` writes each spelling of an address in one way.
  const hostname = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/u, "$1") : ""
  return Result.match(NetAddress.ipFromString(hostname), {
    onSuccess: (address) =>
      isRefused(address) || (NetAddress.isIpv6Address(address) && embeddedIpv4(address).some(isRefused)),
    onFailure: () => false
  })
}
