import type { ObjectReference } from "@headgate/mover"
import { BlockList, isIP } from "node:net"

// Where clouds answer with credentials of the machine that asks.
const linkLocal = new BlockList()
linkLocal.addSubnet("169.254.0.0", 16)
linkLocal.addSubnet("fe80::", 10, "ipv6")
linkLocal.addAddress("fd00:ec2::254", "ipv6")

const isLinkLocal = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, "$1")
  const version = isIP(host)
  return version > 0 && linkLocal.check(host, version === 6 ? "ipv6" : "ipv4")
}

const decode = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * Why the engine is not asked to read an object; `undefined` if it may be. The engine connects with the rights of its own
 * machine, and reads some characters of a key as a pattern or as the name of an archive.
 */
export const objectRefusal = ({ delimiter = ",", url: text }: ObjectReference): string | undefined => {
  if (!URL.canParse(text)) return "its address is no URL"
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") return "its address is not of https or http"
  if (url.username !== "" || url.password !== "") return "its address has credentials"
  if (url.search !== "" || url.hash !== "") return "its address has a query or a fragment"
  if (isLinkLocal(url.hostname)) return "its address is link-local"
  if (delimiter.length !== 1) return "its delimiter is not one character"
  const path = decode(url.pathname)
  if (path === undefined || path.includes("\0")) return "its key is not UTF-8 without NUL"
  if (/[*?{}]|::/.test(path)) return "its key has one of * ? { } :: which the warehouse would read as a pattern"
  return undefined
}
