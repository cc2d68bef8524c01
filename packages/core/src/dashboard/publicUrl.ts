/** What this uses of `URL`, which every runtime of JavaScript has: the types of this package are those of the language alone. */
declare const URL: {
  new (text: string): { readonly hostname: string; readonly protocol: string }
  readonly canParse: (text: string) => boolean
}

/** The networks of IPv4 that are not on the public internet: the first address, and how many bits it has in common with the others. */
const networks: ReadonlyArray<readonly [first: string, bits: number]> = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3]
]

const numberOf = (address: string): number =>
  address.split(".").reduce((number, part) => number * 256 + Number(part), 0)

const isPrivate4 = (address: number): boolean =>
  networks.some(([first, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(numberOf(first) / size)
  })

/** The eight groups of an address of IPv6 as `URL` writes it: in hexadecimal digits, with at most one `::`. */
const groupsOf = (address: string): ReadonlyArray<number> => {
  const [head = "", tail] = address.split("::")
  const numbers = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return numbers(head)
  const [before, after] = [numbers(head), numbers(tail)]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** The address of IPv4 that two groups hold. */
const address4 = ([high = 0, low = 0]: ReadonlyArray<number>): number => high * 65_536 + low

const isZero = (group: number): boolean => group === 0

const isPrivate6 = (address: string): boolean => {
  const groups = groupsOf(address)
  const [first = 0, second = 0] = groups
  // An address of IPv4 in one of IPv6: mapped, behind NAT64, and of 6to4.
  const isMapped = groups.slice(0, 5).every(isZero) && groups[5] === 0xffff
  const isTranslated = first === 0x64 && second === 0xff9b && groups.slice(2, 6).every(isZero)
  if (isMapped || isTranslated) return isPrivate4(address4(groups.slice(6)))
  if (first === 0x2002) return isPrivate4(address4(groups.slice(1, 3)))
  // 2000::/3 are the public ones, but for those of protocols, such as Teredo, and of documentation.
  if (first === 0x2001) return second < 0x200 || second === 0xdb8
  return first >> 13 !== 1 || (first === 0x3fff && second < 0x1000)
}

/** Whether a host, as `URL` writes it, is one of this machine or of a private or reserved network. Names are not looked up. */
const isPrivateHost = (hostname: string): boolean => {
  if (hostname.startsWith("[")) return isPrivate6(hostname.slice(1, -1))
  const name = hostname.replace(/\.$/u, "")
  if (/^\d+\.\d+\.\d+\.\d+$/u.test(name)) return isPrivate4(numberOf(name))
  return name === "localhost" || name.endsWith(".localhost")
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
