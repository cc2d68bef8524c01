import { assert, describe, it } from "@effect/vitest"
import { isLinkLocal } from "../src/index.ts"

describe("an address of the network of a machine", () => {
  for (const [kind, ...hosts] of [
    ["of IPv4", "169.254.169.254", "169.254.0.0", "169.254.255.255"],
    ["of IPv6", "fe80::1", "fe80::1%eth0", "[fe80::1]", "febf:ffff::", "fd00:ec2::254", "FD00:0EC2:0:0:0:0:0:254"],
    ["mapped", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "0:0:0:0:0:ffff:a9fe:a9fe", "[::ffff:169.254.169.254]"],
    ["translated", "::ffff:0:169.254.169.254", "::ffff:0:a9fe:a9fe"],
    ["compatible", "::169.254.169.254", "::a9fe:a9fe"],
    ["of NAT64", "64:ff9b::169.254.169.254", "64:ff9b::a9fe:a9fe", "0064:FF9B:0::A9FE:A9FE"],
    [
      // RFC 6052, section 2.2, with the prefix 64:ff9b:1::/48 and longer ones in it.
      "of NAT64 of a local network",
      "64:ff9b:1::169.254.169.254",
      "64:ff9b:1:2:3:4:a9fe:a9fe",
      "64:ff9b:1:a9fe:a9:fe00::",
      "64:ff9b:1:12a9:fe:a9fe::",
      "64:ff9b:1:1234:a9:fea9:fe00:0"
    ],
    ["of 6to4", "2002:a9fe:a9fe::", "2002:a9fe:a9fe::1"],
    ["of a server or a client of Teredo", "2001:0:a9fe:a9fe::1", "2001::1234:5678:5601:5601"]
  ] as const) {
    it(`${kind} is link-local`, () => {
      for (const host of hosts) assert.isTrue(isLinkLocal(host), host)
    })
  }

  it("is no other one, and no name", () => {
    for (const host of [
      "169.253.255.255",
      "169.255.0.0",
      "127.0.0.1",
      "::1",
      "::",
      "fec0::1",
      "fd00:ec2::253",
      "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8",
      "64:ff9b:2::169.254.169.254",
      "2001:db8:a9fe:a9fe::",
      "2002:808:808::a9fe:a9fe",
      "2a00:1450:4001:81b::a9fe:a9fe",
      "169.254.169.254.example.com",
      "storage.example.com",
      ""
    ]) {
      assert.isFalse(isLinkLocal(host), host)
    }
  })
})
