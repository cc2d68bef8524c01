import * as Result from "effect/Result"
import * as NetAddress from "effect/net/NetAddress"

/** An IP address as it is compared: an IPv4-mapped IPv6 address is the IPv4 address. `undefined` for another text. */
const addressOf = (text: string) => {
  const address = Result.getOrUndefined(NetAddress.ipFromString(text))
  return address === undefined ? undefined : NetAddress.toCanonical(address)
}

/** Whether two texts are the same IP address. */
export const isSameAddress = (one: string, other: string): boolean => {
  const [first, second] = [addressOf(one), addressOf(other)]
  return first !== undefined && second !== undefined && NetAddress.formatIp(first) === NetAddress.formatIp(second)
}

/** Whether an address is a loopback address. An IPv4-mapped IPv6 address counts as IPv4. */
export const isLoopbackAddress = (text: string): boolean => {
  const address = addressOf(text)
  return address !== undefined && NetAddress.isLoopback(address)
}

/** Whether a host without its port is `localhost` or a loopback address. */
export const isLoopbackName = (name: string): boolean => name.toLowerCase() === "localhost" || isLoopbackAddress(name)

/** The host that a request names. */
export interface RequestHost {
  /** In small letters, an IPv6 address without brackets. */
  readonly name: string
  /** `undefined`: the default port of the scheme. */
  readonly port: number | undefined
}

const hostForm = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/iu

/** Parses a `Host` header; `undefined` if it is malformed. */
export const parseHost = (host: string): RequestHost | undefined => {
  const { name, port, v6 } = hostForm.exec(host)?.groups ?? {}
  const either = v6 ?? name
  return either === undefined
    ? undefined
    : { name: either.toLowerCase(), port: port === undefined ? undefined : Number(port) }
}

/** Whether an `Origin` is this one. The default port of a scheme may be written in either or not. */
export const isOrigin = (origin: string, own: string): boolean =>
  URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin
