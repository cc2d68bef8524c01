import type { Random } from "../load/Random.ts"
import type { Draft, Mutation } from "./Draft.ts"

/** A place in a document: a field of a record, or an element of a list. */
interface Spot {
  readonly holder: Record<string, unknown> | Array<unknown>
  readonly key: string
}

const isHolder = (value: unknown): value is Record<string, unknown> | Array<unknown> =>
  typeof value === "object" && value !== null

const valueAt = ({ holder, key }: Spot): unknown => Reflect.get(holder, key)

const put = ({ holder, key }: Spot, value: unknown): void => {
  // An own field even when it is called __proto__, as JSON.parse makes it.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

const spotsIn = (value: unknown): ReadonlyArray<Spot> =>
  isHolder(value)
    ? Object.keys(value).flatMap((key) => [{ holder: value, key }, ...spotsIn(Reflect.get(value, key))])
    : []

const remove = ({ holder, key }: Spot): void => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else Reflect.deleteProperty(holder, key)
}

const nested = (depth: number, innermost: unknown, list: boolean): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => (list ? [inner] : { a: inner }), innermost)

/** Strings that have broken other parsers, validators, stores and terminals. */
const strangeTexts: ReadonlyArray<(random: Random) => string> = [
  () => "",
  () => " ",
  () => "\u0000",
  () => "a\u0000b",
  () => "\u001b[31mred\u0007",
  () => "\r\nX-Injected: 1",
  () => "\ud800",
  () => "\udfff\ud800",
  () => "\uffff\ufeff",
  () => "e\u0301".repeat(40),
  () => "👩‍👩‍👧‍👦".repeat(24),
  () => "ß".repeat(255),
  () => "\u202egnp.exe",
  () => "'; DROP TABLE pipes; --",
  () => "${jndi:ldap://127.0.0.1/a}{{7*7}}<script>alert(1)</script>",
  () => "null",
  () => "NaN",
  () => "2026-02-30T00:00:00Z",
  () => "+275760-09-13T00:00:00.001Z",
  () => "9999-12-31T23:59:60Z",
  () => "0000-00-00T00:00:00Z",
  () => "::ffff:256.0.0.1/129",
  () => "fe80::1%eth0",
  () => "0x7f.1",
  (random) => "x".repeat(random.pick([255, 256, 1024, 1025, 4096, 70_000])),
  (random) => random.bytes(random.between(1, 40)).toString("latin1"),
  (random) => String.fromCharCode(...Array.from({ length: 12 }, () => random.between(0, 0xffff)))
]

const strangeNumbers: ReadonlyArray<number> = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  4_294_967_296,
  1.5
]

const anotherType = (random: Random): unknown =>
  random.pick([
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [[]],
    () => [null],
    () => ({ length: 1, 0: "a" }),
    () => ({ toString: "x", valueOf: 1 }),
    () => random.pick(strangeNumbers),
    () => random.pick(strangeTexts)(random)
  ])()

const strangeNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "",
  "0",
  "-1",
  "length",
  "name",
  "Name",
  "id",
  "key",
  "keySecret",
  "organizationId",
  "\u0000",
  "\ud800",
  "a.b[0]",
  "_tag",
  "then"
]

const onSpot = (
  name: string,
  apply: (spot: Spot, random: Random, draft: Draft) => void,
  fits: (value: unknown) => boolean = () => true
): Mutation => ({
  name,
  fits: ({ json }) => spotsIn(json).some((spot) => fits(valueAt(spot))),
  apply: (draft, random) => apply(random.pick(spotsIn(draft.json).filter((spot) => fits(valueAt(spot)))), random, draft)
})

/** What can be wrong with a document that is still JSON. */
export const documentMutations: ReadonlyArray<Mutation> = [
  onSpot("drop a field", (spot) => remove(spot)),
  onSpot("null", (spot) => put(spot, null)),
  onSpot("another type", (spot, random) => put(spot, anotherType(random))),
  onSpot("strange number", (spot, random) => put(spot, random.pick(strangeNumbers))),
  onSpot("strange text", (spot, random) => put(spot, random.pick(strangeTexts)(random))),
  onSpot("wrapped in a list", (spot) => put(spot, [valueAt(spot)])),
  onSpot(
    "number as text",
    (spot) => put(spot, String(valueAt(spot))),
    (value) => typeof value === "number"
  ),
  onSpot("nested deeply", (spot, random) =>
    put(spot, nested(random.pick([8, 28, 31, 32, 33, 60, 400]), valueAt(spot), random.next() < 0.5))
  ),
  onSpot("rename a field", (spot, random) => {
    const value = valueAt(spot)
    remove(spot)
    put({ holder: spot.holder, key: Array.isArray(spot.holder) ? "0" : random.pick(strangeNames) }, value)
  }),
  onSpot(
    "repeated",
    ({ holder }, random) => {
      if (!Array.isArray(holder)) return
      const times = random.pick([2, 50, 101, 501, 3000])
      for (let count = 0; count < times; count++) holder.push(structuredClone(holder[0]))
    },
    (value) => value !== undefined
  ),
  {
    name: "a field nobody knows",
    fits: ({ json }) => isHolder(json) && !Array.isArray(json),
    apply: ({ json }, random) => {
      if (isHolder(json)) put({ holder: json, key: random.pick(strangeNames) }, anotherType(random))
    }
  },
  {
    name: "many fields",
    fits: ({ json }) => isHolder(json) && !Array.isArray(json),
    apply: ({ json }, random) => {
      const count = random.pick([100, 1000, 5000])
      if (isHolder(json)) for (let index = 0; index < count; index++) put({ holder: json, key: `f${index}` }, index)
    }
  },
  {
    name: "another document",
    fits: ({ json }) => json !== undefined,
    apply: (draft, random) => {
      draft.json = anotherType(random)
    }
  },
  {
    name: "inside a list",
    fits: ({ json }) => json !== undefined,
    apply: (draft) => {
      draft.json = [draft.json]
    }
  }
]
