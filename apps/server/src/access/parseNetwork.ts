import * as IpInterface from "effect/net/IpInterface"
import * as IpNetwork from "effect/net/IpNetwork"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** Reads a CIDR block, or an address, which is a network of one. */
export const parseNetwork = (text: string): Option.Option<IpNetwork.IpNetwork> => {
  const prefixed = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`
  return Option.map(Result.getSuccess(IpInterface.fromString(prefixed)), IpNetwork.fromInterface)
}
