import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as IpInterface from "effect/net/IpInterface"
import * as NetAddress from "effect/net/NetAddress"
import { IpAccessListEntryCreate, isAddressAllowed } from "../../src/access/IpAccessList.ts"

const held: ReadonlyArray<readonly [source: string, address: string]> = [
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1/32", "192.0.2.1"],
  ["192.0.2.0/24", "192.0.2.0"],
  ["192.0.2.0/24", "192.0.2.255"],
  ["192.0.2.7/24", "192.0.2.200"],
  ["10.0.0.0/8", "10.255.255.255"],
  ["0.0.0.0/0", "203.0.113.9"],
  ["192.0.2.1/0", "203.0.113.9"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:DB8::1", "2001:0db8:0000:0000:0000:0000:0000:0001"],
  ["2001:db8::/32", "2001:db8:ffff::1"],
  ["2001:db8:1234::9/32", "2001:db8::1"],
  ["::/0", "2001:db8::1"],
  ["::1", "::1"],
  // IPv4 that comes in, or is written, as mapped IPv6 is IPv4.
  ["192.0.2.1", "::ffff:192.0.2.1"],
  ["192.0.2.1", "::ffff:c000:201"],
  ["192.0.2.0/24", "::ffff:192.0.2.7"],
  ["0.0.0.0/0", "::ffff:203.0.113.9"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
  ["::ffff:192.0.2.0/120", "192.0.2.255"],
  ["::ffff:192.0.2.7/120", "::ffff:192.0.2.200"],
  ["::ffff:0:0/96", "203.0.113.9"]
]

const notHeld: ReadonlyArray<readonly [source: string, address: string]> = [
  ["192.0.2.1", "192.0.2.2"],
  ["192.0.2.0/24", "192.0.3.0"],
  ["192.0.2.128/25", "192.0.2.127"],
  ["10.0.0.0/8", "11.0.0.0"],
  ["2001:db8::1", "2001:db8::2"],
  ["2001:db8::/32", "2001:db9::1"],
  ["2001:db8::/33", "2001:db8:8000::1"],
  ["0.0.0.0/0", "2001:db8::1"],
  ["::/0", "203.0.113.9"],
  ["::/0", "::ffff:203.0.113.9"],
  ["::ffff:0:0/95", "203.0.113.9"],
  ["::ffff:192.0.2.0/120", "192.0.3.1"],
  // IPv4 in other dresses is no IPv4: the deprecated compatible form, and NAT64.
  ["192.0.2.1", "::192.0.2.1"],
  ["192.0.2.1", "64:ff9b::192.0.2.1"]
]

describe("isAddressAllowed", () => {
  it("allows any address, also an unknown one, without a list", () => {
    for (const list of [undefined, null]) {
      assert.isTrue(isAddressAllowed(list, "192.0.2.1"))
      assert.isTrue(isAddressAllowed(list, "2001:db8::1"))
      assert.isTrue(isAddressAllowed(list, undefined))
    }
  })

  it("allows no address if the list is empty", () => {
    assert.isFalse(isAddressAllowed([], "192.0.2.1"))
    assert.isFalse(isAddressAllowed([], "::1"))
    assert.isFalse(isAddressAllowed([], undefined))
  })

  it("does not allow an unknown or invalid address with any list", () => {
    const everything = [{ source: "0.0.0.0/0" }, { source: "::/0" }]
    for (const address of [undefined, "", "localhost", "192.0.2", "192.0.2.1:443", "[::1]", "unix:/tmp/socket"]) {
      assert.isFalse(isAddressAllowed(everything, address))
    }
  })

  it.each(held)("%s holds %s", (source, address) => {
    assert.isTrue(isAddressAllowed([{ source }], address))
  })

  it.each(notHeld)("%s does not hold %s", (source, address) => {
    assert.isFalse(isAddressAllowed([{ source }], address))
  })

  it("allows an address in any entry; an entry without a network allows none", () => {
    const list = [{ source: "office" }, { source: "198.51.100.0/24", description: "home" }, { source: "192.0.2.1" }]
    assert.isTrue(isAddressAllowed(list, "192.0.2.1"))
    assert.isTrue(isAddressAllowed(list, "198.51.100.3"))
    assert.isFalse(isAddressAllowed(list, "203.0.113.9"))
  })

  describe("agrees with arithmetic on whole numbers", () => {
    const bit = (width: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: width - 1 }))
    const prefix = (width: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: width }))
    const part = (bits: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** bits - 1 }))
    const parts = (count: number, bits: number) => Schema.Array(part(bits)).check(Schema.isBetweenLength(count, count))

    const number = (parts: ReadonlyArray<number>, bits: number) =>
      parts.reduce((sum, part) => (sum << BigInt(bits)) | BigInt(part), 0n)
    const v4 = (address: bigint) => [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn).join(".")
    const v6 = (address: bigint) =>
      [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((address >> shift) & 0xffffn).toString(16)).join(":")
    /** Whether two addresses share their first `prefix` bits. */
    const shares = (a: bigint, b: bigint, prefix: number, width: number) =>
      a >> BigInt(width - prefix) === b >> BigInt(width - prefix)

    // An address one bit away lies in the block exactly when that bit is a host bit.
    it.effect.prop("for IPv4, bare and mapped", [parts(4, 8), prefix(32), bit(32)], ([octets, prefix, flipped]) =>
      Effect.gen(function* () {
        const base = number(octets, 8)
        const address = base ^ (1n << BigInt(31 - flipped))
        const expected = flipped >= prefix
        assert.strictEqual(shares(base, address, prefix, 32), expected)
        const sources = [`${v4(base)}/${prefix}`, `::ffff:${v4(base)}/${prefix + 96}`]
        const addresses = [v4(address), `::ffff:${v4(address)}`, v6(0xffff00000000n | address)]
        for (const source of sources) {
          assert.isTrue(isAddressAllowed([{ source }], v4(base)))
          for (const address of addresses) assert.strictEqual(isAddressAllowed([{ source }], address), expected)
          yield* Schema.decodeUnknownEffect(IpAccessListEntryCreate)({ source })
        }
      })
    )

    const isMapped = (address: bigint) => address >> 32n === 0xffffn

    it.effect.prop("for IPv6", [parts(8, 16), prefix(128), bit(128)], ([groups, prefix, flipped]) =>
      Effect.gen(function* () {
        const base = number(groups, 16)
        const address = base ^ (1n << BigInt(127 - flipped))
        if (isMapped(base) || isMapped(address)) return
        const source = `${v6(base)}/${prefix}`
        assert.isTrue(isAddressAllowed([{ source }], v6(base)))
        assert.strictEqual(isAddressAllowed([{ source }], v6(address)), shares(base, address, prefix, 128))
        yield* Schema.decodeUnknownEffect(IpAccessListEntryCreate)({ source })
      })
    )
  })
})

const isSource = Schema.is(IpAccessListEntryCreate)

describe("a source that is written like an IPv4 address or block", () => {
  const numeral = Schema.Literals(["0", "00", "1", "01", "9", "10", "99", "100", "199", "249", "255", "256", "300", ""])
  const prefix = Schema.Literals(["", "/", "/0", "/00", "/8", "/08", "/24", "/32", "/33", "/320", "/-1", "/24/24"])

  it.effect.prop(
    "is taken only if it can be read, and then it holds its own address",
    [numeral, numeral, numeral, numeral, prefix],
    ([first, second, third, fourth, length]) =>
      Effect.sync(() => {
        const address = [first, second, third, fourth].join(".")
        const source = `${address}${length}`
        const isHeld = isAddressAllowed([{ source }], address)
        if (isSource({ source })) assert.isTrue(isHeld, source)
        else assert.isFalse(isHeld, source)
      }),
    { arbitrary: { runs: 2000 } }
  )
})

describe("a source of a request", () => {
  // The parser that decides whether an address is in a list.
  const isRead = (source: string) =>
    source.includes("/")
      ? Result.isSuccess(IpInterface.fromString(source))
      : Result.isSuccess(NetAddress.ipFromString(source))

  const part = Schema.Literals(["0", "1", "ffff", "12345", "g", "", ":", "::", "1.2.3.4", "1.2.3.256", "01", "%1"])
  const between = Schema.Literals([":", ""])
  const end = Schema.Literals(["", "/0", "/9", "/32", "/33", "/128", "/129", "/01", "/", "/1/2", "/-1"])
  const parts = Schema.Array(part).check(Schema.isMaxLength(10))

  it.effect.prop(
    "is taken exactly if the parser of addresses reads it",
    [parts, between, end],
    ([groups, between, end]) =>
      Effect.sync(() => {
        const source = groups.join(between) + end
        assert.strictEqual(isSource({ source }), isRead(source), source)
      }),
    { arbitrary: { runs: 5000 } }
  )

  for (const source of [
    "::",
    "1::",
    "::1",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "::ffff:1.2.3.4",
    "1:2:3:4:5:6:1.2.3.4/96",
    "2001:DB8::/32",
    "192.0.2.7/24"
  ]) {
    it(`may be ${source}`, () => {
      assert.isTrue(isSource({ source }))
      assert.isTrue(isRead(source))
    })
  }

  it("may have the 49 characters of the longest one, and no more is read", () => {
    const longest = "2001:0db8:0000:0000:0000:0000:255.255.255.255/128"
    assert.deepStrictEqual([longest.length, isSource({ source: longest })], [49, true])
    assert.isFalse(isSource({ source: `${longest}0` }))
    assert.isFalse(isSource({ source: ":".repeat(1_000_000) }))
  })
})
