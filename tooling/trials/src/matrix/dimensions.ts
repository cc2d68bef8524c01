// What the cells of the matrix differ in. Each value says by hand what it is, so that the oracle need not work it out.

/** Where a request comes from, as far as any access list below can tell one place from another. */
export type Place =
  | "IPv4 inside"
  | "IPv4 outside"
  | "IPv6 inside"
  | "IPv6 outside"
  | "the proxy itself"
  | "another host of the network"

/** The address the proxy has: the only one that `--trust-proxy` names. */
export const proxyAddress = "127.0.0.1"
/** An address of this machine that is no proxy to the server. */
const strangerAddress = "127.0.0.2"

/** How a request reaches the server. */
export interface Caller {
  readonly name: string
  readonly connectsFrom: string
  readonly forwardedFor?: string
  /** Where the request comes from, in truth. */
  readonly place: Place
}

const inside4 = "203.0.113.77"
const outside4 = "198.51.100.9"
const inside6 = "2001:db8:1::5"
const outside6 = "2001:db9::5"

const proxied = (name: string, forwardedFor: string, place: Place): Caller => ({
  name: `${name} through the proxy`,
  connectsFrom: proxyAddress,
  forwardedFor,
  place
})

const pretending = (name: string, forwardedFor: string): Caller => ({
  name: `no proxy, pretends ${name}`,
  connectsFrom: strangerAddress,
  forwardedFor,
  place: "another host of the network"
})

export const callers: ReadonlyArray<Caller> = [
  proxied("IPv4 inside", inside4, "IPv4 inside"),
  proxied("IPv4 outside", outside4, "IPv4 outside"),
  proxied("IPv6 inside", inside6, "IPv6 inside"),
  proxied("IPv6 outside", outside6, "IPv6 outside"),
  proxied("mapped IPv4 inside", `::ffff:${inside4}`, "IPv4 inside"),
  proxied("mapped IPv4 outside", `::ffff:${outside4}`, "IPv4 outside"),
  // What a caller writes itself stands in front; what counts is what the proxy appended.
  proxied("IPv4 outside that pretends inside", `${inside4}, ${outside4}`, "IPv4 outside"),
  proxied("IPv4 inside that pretends outside", `${outside4}, ${inside4}`, "IPv4 inside"),
  { name: "the proxy", connectsFrom: proxyAddress, place: "the proxy itself" },
  pretending("IPv4 inside", inside4),
  pretending("IPv6 inside", inside6),
  pretending("to be the proxy", proxyAddress),
  { name: "no proxy, says nothing", connectsFrom: strangerAddress, place: "another host of the network" }
]

/** An access list, and the places whose requests it lets in. */
export interface AccessList {
  readonly name: string
  readonly sources: ReadonlyArray<string> | undefined
  readonly holds: ReadonlyArray<Place>
}

const everywhere: ReadonlyArray<Place> = [
  "IPv4 inside",
  "IPv4 outside",
  "IPv6 inside",
  "IPv6 outside",
  "the proxy itself",
  "another host of the network"
]

export const accessLists: ReadonlyArray<AccessList> = [
  { name: "absent", sources: undefined, holds: everywhere },
  { name: "empty", sources: [], holds: [] },
  { name: "an IPv4 block", sources: ["203.0.113.0/24"], holds: ["IPv4 inside"] },
  { name: "an IPv6 block", sources: ["2001:db8::/32"], holds: ["IPv6 inside"] },
  { name: "a mapped IPv4 block", sources: ["::ffff:203.0.113.0/120"], holds: ["IPv4 inside"] },
  { name: "all of IPv6", sources: ["::/0"], holds: ["IPv6 inside", "IPv6 outside"] },
  {
    name: "two addresses",
    sources: [outside6, `${strangerAddress}/32`],
    holds: ["IPv6 outside", "another host of the network"]
  }
]

export type Role = "admin" | "developer" | "query_endpoints"
const roles: ReadonlyArray<Role> = ["admin", "developer", "query_endpoints"]

/** Every set of roles, the empty one included. */
export const roleSets: ReadonlyArray<ReadonlyArray<Role>> = roles.reduce<ReadonlyArray<ReadonlyArray<Role>>>(
  (sets, role) => [...sets, ...sets.map((set) => [...set, role])],
  [[]]
)

export const keyStates = ["enabled", "disabled"] as const
export type KeyState = (typeof keyStates)[number]

/** When a key expires. `undefined`: the field is absent. */
export const expiries = [
  { name: "never", expireAt: undefined, hasPassed: false },
  { name: "future", expireAt: "2999-01-01T00:00:00Z", hasPassed: false },
  { name: "past", expireAt: "2001-01-01T00:00:00Z", hasPassed: true }
] as const
export type Expiry = (typeof expiries)[number]

/** The organization that the path names, seen from the key. */
export const organizations = ["its own", "another", "one that does not exist", "no UUID"] as const
export type PathOrganization = (typeof organizations)[number]
