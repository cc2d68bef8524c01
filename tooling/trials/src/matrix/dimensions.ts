// The dimensions of the matrix. Each value states its meaning, so that the oracle does not compute it.

/** Where a request comes from, as far as the access lists below distinguish it. */
export type Place =
  | "IPv4 inside"
  | "IPv4 outside"
  | "IPv6 inside"
  | "IPv6 outside"
  | "the proxy itself"
  | "another host of the network"

/** The address of the proxy: the only one that `--trust-proxy` names. */
export const proxyAddress = "127.0.0.1"
/** An address of this machine that is not a trusted proxy. */
const untrustedAddress = "127.0.0.2"

/** How a request reaches the server. */
export interface Caller {
  readonly name: string
  readonly connectsFrom: string
  readonly forwardedFor?: string
  /** Where the request really comes from. */
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

const unproxied = (name: string, forwardedFor: string): Caller => ({
  name: `no proxy, claims ${name}`,
  connectsFrom: untrustedAddress,
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
  // The caller's own entry comes first; the one that the proxy appended counts.
  proxied("IPv4 outside that claims inside", `${inside4}, ${outside4}`, "IPv4 outside"),
  proxied("IPv4 inside that claims outside", `${outside4}, ${inside4}`, "IPv4 inside"),
  { name: "the proxy", connectsFrom: proxyAddress, place: "the proxy itself" },
  unproxied("IPv4 inside", inside4),
  unproxied("IPv6 inside", inside6),
  unproxied("to be the proxy", proxyAddress),
  { name: "no proxy, no header", connectsFrom: untrustedAddress, place: "another host of the network" }
]

/** An access list and the places that it allows. */
export interface AccessList {
  readonly name: string
  readonly sources: ReadonlyArray<string> | undefined
  readonly allows: ReadonlyArray<Place>
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
  { name: "absent", sources: undefined, allows: everywhere },
  { name: "empty", sources: [], allows: [] },
  { name: "an IPv4 block", sources: ["203.0.113.0/24"], allows: ["IPv4 inside"] },
  { name: "an IPv6 block", sources: ["2001:db8::/32"], allows: ["IPv6 inside"] },
  { name: "a mapped IPv4 block", sources: ["::ffff:203.0.113.0/120"], allows: ["IPv4 inside"] },
  { name: "all of IPv6", sources: ["::/0"], allows: ["IPv6 inside", "IPv6 outside"] },
  {
    name: "two addresses",
    sources: [outside6, `${untrustedAddress}/32`],
    allows: ["IPv6 outside", "another host of the network"]
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
