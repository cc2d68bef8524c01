type Bytes = ReadonlyArray<number>

/** The bytes of an address as a URL writes it: 4 or 16; none of a name. */
const bytesOf = (hostname: string): Bytes => {
  if (/^\d+\.\d+\.\d+\.\d+$/u.test(hostname)) return hostname.split(".").map(Number)
  if (!hostname.startsWith("[")) return []
  const [head = "", tail] = hostname.slice(1, -1).split("::")
  const wordsOf = (part = "") => (part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16)))
  const [first, last] = [wordsOf(head), wordsOf(tail)]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0)
  return [...first, ...zeros, ...last].flatMap((word) => [word >> 8, word & 0xff])
}

/** At these the machines of clouds answer with their credentials: 169.254.0.0/16, fe80::/10 and fd00:ec2::254. */
const isRefused = (bytes: Bytes): boolean => {
  const [first = 0, second = 0] = bytes
  if (bytes.length === 4) return first === 169 && second === 254
  return (first === 0xfe && (second & 0xc0) === 0x80) || bytes.join() === bytesOf("[fd00:ec2::254]").join()
}

/** Prefixes under which an address of IPv6 leads to one of IPv4, and at which of its bytes that stands. */
const embeddings: ReadonlyArray<{
  readonly prefix: string
  readonly bits: number
  readonly at: ReadonlyArray<string>
}> = [
  // Compatible, mapped and translated addresses.
  { prefix: "::", bits: 96, at: ["12 13 14 15"] },
  { prefix: "::ffff:0:0", bits: 96, at: ["12 13 14 15"] },
  { prefix: "::ffff:0:0:0", bits: 96, at: ["12 13 14 15"] },
  // NAT64. A local network chooses the length of its prefix, and byte 8 is no part of the address (RFC 6052).
  { prefix: "64:ff9b::", bits: 96, at: ["12 13 14 15"] },
  { prefix: "64:ff9b:1::", bits: 48, at: ["6 7 9 10", "7 9 10 11", "9 10 11 12", "12 13 14 15"] },
  // 6to4.
  { prefix: "2002::", bits: 16, at: ["2 3 4 5"] },
  // Teredo: its server, and its client, whose bits are inverted.
  { prefix: "2001::", bits: 32, at: ["4 5 6 7", "~ 12 13 14 15"] }
]

/** The addresses of IPv4 to which one of IPv6 leads where a network translates it. */
const embedded = (bytes: Bytes): ReadonlyArray<Bytes> =>
  embeddings
    .filter(({ bits, prefix }) =>
      bytesOf(`[${prefix}]`).every((byte, index) => index * 8 >= bits || byte === bytes[index])
    )
    .flatMap(({ at }) => at)
    .map((places) => {
      const isInverted = places.startsWith("~ ")
      const found = places.replace("~ ", "").split(" ")
      return found.map((place) => (bytes[Number(place)] ?? 0) ^ (isInverted ? 0xff : 0))
    })

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
  const bare = host.replace(/^\[(.*)\]$/u, "$1").replace(/%.*$/u, "")
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}`
  const bytes = URL.canParse(url) ? bytesOf(new URL(url).hostname) : []
  return isRefused(bytes) || (bytes.length === 16 && embedded(bytes).some(isRefused))
}
