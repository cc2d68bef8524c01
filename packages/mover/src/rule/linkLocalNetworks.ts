/**
 * The networks and addresses at which the machines of clouds answer with their credentials. Nothing that a pipe names may lead there.
 *
 * @example
 * ```ts
 * import { linkLocalNetworks } from "@headgate/mover"
 * import { BlockList } from "node:net"
 *
 * const refused = new BlockList()
 * for (const { address, family, prefix } of linkLocalNetworks) refused.addSubnet(address, prefix, family)
 * console.log(refused.check("169.254.169.254")) // true
 * ```
 */
export const linkLocalNetworks = [
  { address: "169.254.0.0", prefix: 16, family: "ipv4" },
  { address: "fe80::", prefix: 10, family: "ipv6" },
  { address: "fd00:ec2::254", prefix: 128, family: "ipv6" }
] as const
