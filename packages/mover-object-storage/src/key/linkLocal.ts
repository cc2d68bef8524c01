import { BlockList, isIP } from "node:net"

// Where clouds answer with credentials of the machine that asks.
const refused = new BlockList()
refused.addSubnet("169.254.0.0", 16)
refused.addSubnet("fe80::", 10, "ipv6")
refused.addAddress("fd00:ec2::254", "ipv6")

/** Whether a host is an address that is never connected to. The name of a host is not looked up. */
export const isRefusedHost = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/u, "$1")
  const version = isIP(host)
  return version > 0 && refused.check(host, version === 6 ? "ipv6" : "ipv4")
}
