import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AllowedSource, makeAllowedSources } from "@headgate/mover-runtime"
import { addressOf, parseAllowed } from "../src/mover/allowedSource.ts"

const parsed = (...texts: ReadonlyArray<string>): ReadonlyArray<AllowedSource> =>
  texts.flatMap((text) => Option.toArray(parseAllowed(text)))

const isAllowed = (allowed: ReadonlyArray<AllowedSource>, host: string) =>
  Effect.map(Effect.result(makeAllowedSources(allowed).resolve(host)), ({ _tag }) => _tag === "Success")

describe("the hosts that pipes read from", () => {
  it("are names, addresses and networks", () => {
    const good = ["broker.example.com", "localhost", "10.0.0.0/8", "10.1.2.3", "::1", "fd00::/8", "kafka_1"]
    assert.lengthOf(parsed(...good), good.length)
    const bad = ["", "10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.0/8/8", "a b", "http://a", "a/8", "-a", "a..b"]
    assert.deepStrictEqual(parsed(...bad), [])
  })

  it("are single addresses as a URL writes them", () => {
    const written = (text: string) => {
      const [one] = parsed(text)
      return one === undefined || "host" in one ? undefined : Option.getOrUndefined(addressOf(one))
    }
    assert.deepStrictEqual(["10.1.2.3", "FD00:0::1", "10.0.0.0/8"].map(written), ["10.1.2.3", "[fd00::1]", undefined])
  })

  for (const host of [
    "169.254.169.254",
    "[fe80::1]",
    // Not of these networks, but of a cloud's service for credentials.
    "fd00:ec2::254",
    "::ffff:169.254.169.254",
    // What the resolver of the system reads as the first.
    "2852039166",
    "0xa9fea9fe",
    "169.254.43518"
  ]) {
    it.live(`are never link-local: ${host}`, () =>
      Effect.gen(function* () {
        assert.isFalse(yield* isAllowed([], host))
        assert.isFalse(yield* isAllowed(parsed("0.0.0.0/0", "::/0", "169.254.169.254"), host))
      })
    )
  }

  it.live("are any without a list, and else those of the list, also after their names are resolved", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isAllowed([], "127.0.0.1"))
      assert.isTrue(yield* isAllowed([], "localhost"))
      assert.isTrue(yield* isAllowed(parsed("127.0.0.0/8"), "127.0.0.1"))
      assert.isTrue(yield* isAllowed(parsed("127.0.0.0/8", "::1"), "localhost"))
      assert.isTrue(yield* isAllowed(parsed("LOCALHOST"), "localhost."))
      assert.isFalse(yield* isAllowed(parsed("10.0.0.0/8"), "localhost"))
      assert.isFalse(yield* isAllowed(parsed("broker.example.com"), "127.0.0.1"))
    })
  )

  it("are told by their text as far as it goes", () => {
    const byName = makeAllowedSources(parsed("broker.example.com"))
    assert.isUndefined(byName.refusal("Broker.example.com"))
    assert.include(byName.refusal("other.example.com") ?? "", "--allow-source")
    // Its address is not known yet.
    assert.isUndefined(makeAllowedSources(parsed("10.0.0.0/8")).refusal("other.example.com"))
    assert.include(makeAllowedSources([]).refusal("[fe80::1]") ?? "", "link-local")
  })
})

describe("the hosts that connections lead charts to", () => {
  it.live("have the same rules, and their refusals name the flag of charts", () =>
    Effect.gen(function* () {
      const { resolve } = makeAllowedSources(parsed("127.0.0.0/8", "169.254.0.0/16"), [], {
        flag: "--allow-query-host",
        noun: "chart"
      })
      assert.strictEqual(yield* resolve("127.0.0.1"), "127.0.0.1")
      const messageOf = (host: string) => Effect.map(Effect.flip(resolve(host)), ({ message }) => message)
      assert.strictEqual(
        yield* messageOf("169.254.169.254"),
        "169.254.169.254 is a link-local address, which no chart reads from"
      )
      assert.strictEqual(
        yield* messageOf("10.1.2.3"),
        "10.1.2.3 is not among the hosts that this server reads from (--allow-query-host)"
      )
    })
  )
})
