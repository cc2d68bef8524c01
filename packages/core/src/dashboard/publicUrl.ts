import * as Result from "effect/Result"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import { embeddedIpv4 } from "../access/embeddedIpv4.ts"

/** What this uses of `URL`, which every runtime of JavaScript has: the types of this package are those of the language alone. */
declare const URL: {
  new (text: string): { readonly hostname: string; readonly protocol: string }
  readonly canParse: (text: string) => boolean
}

/** The networks that are not on the public internet. Of IPv6, those in `public6`: of protocols, such as Teredo, and of documentation. */
const reserved = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "2001::/23",
  "2001:db8::/32",
  "3fff::/20"
].map(IpNetwork.fromStringUnsafe)

/** The networks of IPv6 in which addresses are public: global ones, and what leads to addresses of IPv4, mapped or behind NAT64. */
const public6 = ["2000::/3", "::ffff:0:0/96", "64:ff9b::/96"].map(IpNetwork.fromStringUnsafe)

const isIn = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  networks.some((network) => IpNetwork.contains(network, address))

const isPrivate = (address: NetAddress.IpAddress): boolean =>
  isIn(reserved, address) ||
  (NetAddress.isIpv6Address(address) && (!isIn(public6, address) || embeddedIpv4(address).some(isPrivate)))

/** Whether a host, as `URL` writes it, is one of this machine or of a private or reserved network. Names are not looked up. */
const isPrivateHost = (hostname: string): boolean => {
  const name = hostname.replace(/^\[(.*)\]$/u, "$1").replace(/\.$/u, "")
  return Result.match(NetAddress.ipFromString(name), {
    onSuccess: isPrivate,
    onFailure: () => name === "localhost" || name.endsWith(".localhost")
  })
}

/**
 * What is wrong with a URL that a service is to call; `undefined` if nothing is. An address in another form, such as `0x7f.1`, is
 * judged as what it stands for.
 */
export const publicUrlIssue = (text: string): string | undefined => {
  if (!URL.canParse(text)) return "Expected a URL of http or https"
  const { hostname, protocol } = new URL(text)
  if (protocol !== "http:" && protocol !== "https:") return "Expected a URL of http or https"
  return isPrivateHost(hostname) ? "Expected a public URL: this is a private or reserved address" : undefined
}
