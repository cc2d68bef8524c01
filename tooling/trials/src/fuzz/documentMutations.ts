import type { Random } from "@headgate/harness/Random"
import type { Draft, Mutation, Mutations } from "./Draft.ts"

/** A field of a record or an element of a list. */
interface Spot {
  readonly holder: object
  readonly key: string
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null
const isRecord = (value: unknown): value is object => isHolder(value) && !Array.isArray(value)

const valueAt = ({ holder, key }: Spot): unknown => Reflect.get(holder, key)

const put = ({ holder, key }: Spot, value: unknown): void => {
  // An own field even if its name is __proto__, as JSON.parse creates it.
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

const remove = ({ holder, key }: Spot): void => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else Reflect.deleteProperty(holder, key)
}

const spotsIn = (value: unknown): ReadonlyArray<Spot> =>
  isHolder(value)
    ? Object.keys(value).flatMap((key) => [{ holder: value, key }, ...spotsIn(Reflect.get(value, key))])
    : []

const nested = (depth: number, innermost: unknown, isList: boolean): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => (isList ? [inner] : { a: inner }), innermost)

/** Strings that break parsers, validators, stores and terminals. */
const strangeTexts: ReadonlyArray<string> = [
  ..."| |null|NaN|::ffff:256.0.0.1/129|fe80::1%eth0|0x7f.1|'; DROP TABLE pipes; --".split("|"),
  ..."2026-02-30T00:00:00Z|+275760-09-13T00:00:00.001Z|9999-12-31T23:59:60Z|0000-00-00T00:00:00Z".split("|"),
  ..."\u0000|a\u0000b|\u001b[31mred\u0007|\r\nX-Injected: 1|\ud800|\udfff\ud800|\uffff\ufeff|\u202egnp.exe".split("|"),
  "${jndi:ldap://127.0.0.1/a}{{7*7}}<script>alert(1)</script>",
  "e\u0301".repeat(40),
  "👩‍👩‍👧‍👦".repeat(24),
  "ß".repeat(255),
  ...[255, 256, 1024, 1025, 4096, 70_000].map((length) => "x".repeat(length))
]

const strangeText = (random: Random): string =>
  random.next() < 0.8
    ? random.pick(strangeTexts)
    : String.fromCharCode(...Array.from({ length: 12 }, () => random.between(0, 0xffff)))

const strangeNumbers = [
  0,
  -0,
  -1,
  0.1,
  1.5,
  1e-320,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63
]

const anotherType = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [[]],
    () => [null],
    () => ({ length: 1, 0: "a" }),
    () => ({ toString: "x", valueOf: 1 }),
    () => random.pick(strangeNumbers),
    () => strangeText(random)
  ])()

const strangeNames = [
  ..."__proto__ constructor prototype toString hasOwnProperty valueOf 0 -1 length name Name id key".split(" "),
  ..."keySecret organizationId a.b[0] _tag then".split(" "),
  "",
  "\u0000",
  "\ud800"
]

const onSpot =
  (
    change: (spot: Spot, random: Random, draft: Draft) => void,
    fits: (value: unknown) => boolean = () => true
  ): Mutation =>
  (draft, random) => {
    const spots = spotsIn(draft.json).filter((spot) => fits(valueAt(spot)))
    return spots.length === 0 ? false : change(random.pick(spots), random, draft)
  }

const onRecord =
  (change: (record: object, random: Random) => void): Mutation =>
  ({ json }, random) =>
    isRecord(json) ? change(json, random) : false

/** Documents that are JSON and not what the contract says. */
export const documentMutations: Mutations = {
  "a missing field": onSpot(remove),
  null: onSpot((spot) => put(spot, null)),
  "another type": onSpot((spot, random) => put(spot, anotherType(random))),
  "a strange number": onSpot((spot, random) => put(spot, random.pick(strangeNumbers))),
  "a strange text": onSpot((spot, random) => put(spot, strangeText(random))),
  "wrapped in a list": onSpot((spot) => put(spot, [valueAt(spot)])),
  "a number as text": onSpot(
    (spot) => put(spot, String(valueAt(spot))),
    (value) => typeof value === "number"
  ),
  "nested deeply": onSpot((spot, random) =>
    put(spot, nested(random.pick([8, 28, 31, 32, 33, 60, 400]), valueAt(spot), random.next() < 0.5))
  ),
  "a renamed field": onSpot((spot, random) => {
    const value = valueAt(spot)
    remove(spot)
    put({ holder: spot.holder, key: Array.isArray(spot.holder) ? "0" : random.pick(strangeNames) }, value)
  }),
  "many elements": onSpot(({ holder }, random) => {
    if (!Array.isArray(holder)) return
    const times = random.pick([2, 50, 101, 501, 3000])
    for (let count = 0; count < times; count++) holder.push(structuredClone(holder[0]))
  }),
  "an unknown field": onRecord((holder, random) =>
    put({ holder, key: random.pick(strangeNames) }, anotherType(random))
  ),
  "many fields": onRecord((holder, random) => {
    const count = random.pick([100, 1000, 5000])
    for (let index = 0; index < count; index++) put({ holder, key: `f${index}` }, index)
  }),
  "another document": (draft, random) => {
    if (draft.json === undefined) return false
    draft.json = anotherType(random)
  },
  "inside a list": (draft) => {
    if (draft.json === undefined) return false
    draft.json = [draft.json]
  }
}
