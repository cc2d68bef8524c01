import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as NetAddress from "effect/net/NetAddress"
import { embeddedIpv4 } from "../../src/adapter.ts"

const held = (address: string) =>
  embeddedIpv4(Result.getOrThrow(NetAddress.ipv6FromString(address))).map(NetAddress.formatIp)

describe("embeddedIpv4", () => {
  it.each([
    ["compatible", "::192.0.2.33", ["192.0.2.33"]],
    ["mapped", "::ffff:192.0.2.33", ["192.0.2.33"]],
    ["translated", "::ffff:0:192.0.2.33", ["192.0.2.33"]],
    ["NAT64", "64:ff9b::192.0.2.33", ["192.0.2.33"]],
    ["6to4", "2002:c000:221::1", ["192.0.2.33"]],
    // The example of RFC 4380, section 4.
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2", ["65.54.227.120", "192.0.2.45"]],
    ["none", "2001:db8::192.0.2.33", []]
  ])("%s", (_kind, address, expected) => {
    assert.deepStrictEqual(held(address), expected)
  })

  // RFC 6052, section 2.4, with longer prefixes in 64:ff9b:1::/48.
  it.each(["64:ff9b:1:c000:2:2100::", "64:ff9b:1:3c0:0:221::", "64:ff9b:1:344:c0:2:2100:0", "64:ff9b:1::192.0.2.33"])(
    "NAT64 of a local network: %s",
    (address) => {
      assert.include(held(address), "192.0.2.33")
    }
  )
})
