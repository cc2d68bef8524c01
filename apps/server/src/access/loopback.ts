import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"

/** Whether an address never leaves this machine. An IPv4 address that is written as IPv6 counts as what it is. */
export const isLoopbackAddress = (text: string): boolean => {
  const address = Result.getOrUndefined(NetAddress.ipFromString(text))
  return address !== undefined && NetAddress.isLoopback(NetAddress.toCanonical(address))
}

/** Whether a host, without its port, names this machine to itself: `localhost`, or a loopback address. */
export const isLoopbackName = (name: string): boolean => name.toLowerCase() === "localhost" || isLoopbackAddress(name)
