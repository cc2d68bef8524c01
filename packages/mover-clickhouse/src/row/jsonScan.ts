import {
  closeArray,
  closeObject,
  colon,
  comma,
  dash,
  falseBytes,
  malformed,
  n,
  nameOf,
  nine,
  nullBytes,
  openArray,
  openObject,
  quote,
  shown,
  skipNumber,
  skipSpace,
  skipText,
  skipWord,
  t,
  trueBytes,
  unescape,
  zero
} from "./jsonTokens.ts"
import type { LeafRule, Spelling } from "./LeafRule.ts"
import type { ValueRule } from "./typeMapping.ts"

// One strict pass over the bytes of a value of JSON, without decoding it.

// The engine refuses what is nested deeper than twice this.
const deepest = 500

/** Why a null is refused. */
export const noNull = "null, and the column takes none"

/** What is wrong with a value: where it stands in its column, its text as it stands in the row, and why. */
export interface Problem {
  path: string
  readonly text: string
  readonly reason: string
}

const kinds = { Array: "an array", Map: "an object", Tuple: "an array" } as const

/** A pass over values of JSON. It goes on behind a value that its rule refuses, for the row may be malformed as well. */
export interface Scan {
  /** The first value that was refused since this was set to none. */
  problem: Problem | undefined
}

const refuse = (scan: Scan, row: Uint8Array, from: number, to: number, reason: string): void => {
  scan.problem ??= { path: "", text: Buffer.from(row.subarray(from, to)).toString("latin1"), reason }
}

const within = (scan: Scan, before: Problem | undefined, path: () => string): void => {
  if (scan.problem !== undefined && scan.problem !== before) scan.problem.path = path() + scan.problem.path
}

const checkLeaf = (scan: Scan, rule: LeafRule, row: Uint8Array, from: number, to: number, spelling: Spelling): void => {
  if (rule.isHarmless(row, from, to, spelling)) return
  const raw = Buffer.from(row.buffer, row.byteOffset + from, to - from).toString("latin1")
  const reason = rule.check(spelling === "text" ? unescape(raw) : raw, spelling)
  if (reason !== undefined) refuse(scan, row, from, to, reason)
}

/** Checks a value that is no array, no object and no null. */
const checkPlain = (
  scan: Scan,
  rule: ValueRule | undefined,
  row: Uint8Array,
  from: number,
  to: number,
  spelling: Spelling
) => {
  if (rule === undefined || rule._tag === "Any") return
  if (rule._tag === "Leaf") checkLeaf(scan, rule.rule, row, from, to, spelling)
  else refuse(scan, row, from, to, `it is not ${kinds[rule._tag]}, which the column takes`)
}

/** Checks a value that ends at `end`, unless it is malformed. */
const plainUntil = (
  scan: Scan,
  rule: ValueRule | undefined,
  row: Uint8Array,
  from: number,
  end: number,
  spelling: Exclude<Spelling, "text">
): number => {
  if (end !== malformed) checkPlain(scan, rule, row, from, end, spelling)
  return end
}

const scanText = (scan: Scan, row: Uint8Array, at: number, rule: ValueRule | undefined): number => {
  const end = skipText(row, at)
  if (end !== malformed) checkPlain(scan, rule, row, at + 1, end - 1, "text")
  return end
}

const scanNull = (scan: Scan, row: Uint8Array, at: number, rule: ValueRule | undefined): number => {
  const end = skipWord(row, at, nullBytes)
  if (end !== malformed && rule?.takesNull === false) refuse(scan, row, at, end, noNull)
  return end
}

const scanNested = (scan: Scan, row: Uint8Array, at: number, rule: ValueRule | undefined, depth: number): number => {
  const first = row[at] ?? 0
  if (first === quote) return scanText(scan, row, at, rule)
  if ((first >= zero && first <= nine) || first === dash) {
    return plainUntil(scan, rule, row, at, skipNumber(row, at), "number")
  }
  if (first === openObject) return depth > deepest ? malformed : scanObject(scan, row, at, rule, depth + 1)
  if (first === openArray) return depth > deepest ? malformed : scanArray(scan, row, at, rule, depth + 1)
  if (first === n) return scanNull(scan, row, at, rule)
  return plainUntil(scan, rule, row, at, skipWord(row, at, first === t ? trueBytes : falseBytes), "boolean")
}

/** The elements of a tuple that is written as an array. */
const elementsOf = (rule: ValueRule | undefined) =>
  rule?._tag === "Tuple" && rule.places === undefined ? rule.elements : undefined

/** Checks that a column takes an array of so many elements. */
const checkArray = (
  scan: Scan,
  rule: ValueRule | undefined,
  row: Uint8Array,
  from: number,
  to: number,
  count: number
): void => {
  if (rule === undefined || rule._tag === "Any" || rule._tag === "Array") return
  const elements = elementsOf(rule)
  if (rule._tag === "Leaf") refuse(scan, row, from, to, `it is an array, and the column takes ${rule.type.text}`)
  else if (elements === undefined) refuse(scan, row, from, to, "it is not an object, which the column takes")
  else if (count !== elements.length)
    refuse(scan, row, from, to, `it has ${count} elements, and the column takes ${elements.length}`)
}

const scanArray = (scan: Scan, row: Uint8Array, at: number, rule: ValueRule | undefined, depth: number): number => {
  const elements = elementsOf(rule)
  const of = rule?._tag === "Array" ? rule.of : undefined
  const before = scan.problem
  let next = skipSpace(row, at + 1)
  let count = 0
  for (let goesOn = row[next] !== closeArray; goesOn; count += 1) {
    const known = scan.problem
    const end = scanNested(scan, row, next, elements === undefined ? of : elements[count], depth)
    if (end === malformed) return malformed
    const index = count
    within(scan, known, () => `[${index}]`)
    next = skipSpace(row, end)
    goesOn = row[next] === comma
    if (goesOn) next = skipSpace(row, next + 1)
    else if (row[next] !== closeArray) return malformed
  }
  if (before === scan.problem) checkArray(scan, rule, row, at, next + 1, count)
  return next + 1
}

/** The rule of a field of an object, by its name. `seen` are the places of the fields before it. */
const ruleOfField = (
  scan: Scan,
  rule: ValueRule | undefined,
  row: Uint8Array,
  from: number,
  to: number,
  seen: Set<number>
) => {
  if (rule?._tag === "Map") {
    if (rule.key !== undefined) checkLeaf(scan, rule.key, row, from, to, "text")
    return rule.value
  }
  if (rule?._tag !== "Tuple") return undefined
  const place = rule.places?.get(nameOf(row, from, to))
  if (place === undefined) return undefined
  if (seen.has(place)) refuse(scan, row, from, to, "the object has it twice")
  seen.add(place)
  return rule.elements[place]
}

/** Checks that a column takes an object with the fields that were seen. */
const checkObject = (
  scan: Scan,
  rule: ValueRule | undefined,
  row: Uint8Array,
  from: number,
  to: number,
  seen: ReadonlySet<number>
): void => {
  if (rule === undefined || rule._tag === "Any" || rule._tag === "Map") return
  if (rule._tag === "Leaf")
    return refuse(scan, row, from, to, `it is an object, and the column takes ${rule.type.text}`)
  if (rule._tag === "Array" || rule.places === undefined)
    return refuse(scan, row, from, to, "it is not an array, which the column takes")
  for (const [name, place] of rule.places) {
    if (seen.has(place) || rule.elements[place]?.takesNull === true) continue
    refuse(scan, row, from, to, `the field ${shown(name)} is missing`)
  }
}

const scanObject = (scan: Scan, row: Uint8Array, at: number, rule: ValueRule | undefined, depth: number): number => {
  const seen = new Set<number>()
  const before = scan.problem
  let next = skipSpace(row, at + 1)
  for (let goesOn = row[next] !== closeObject; goesOn;) {
    if (row[next] !== quote) return malformed
    const [nameFrom, nameEnd] = [next + 1, skipText(row, next)]
    if (nameEnd === malformed) return malformed
    next = skipSpace(row, nameEnd)
    if (row[next] !== colon) return malformed
    const known = scan.problem
    const of = ruleOfField(scan, rule, row, nameFrom, nameEnd - 1, seen)
    const end = scanNested(scan, row, skipSpace(row, next + 1), of, depth)
    if (end === malformed) return malformed
    within(scan, known, () => `[${JSON.stringify(shown(nameOf(row, nameFrom, nameEnd - 1)))}]`)
    next = skipSpace(row, end)
    goesOn = row[next] === comma
    if (goesOn) next = skipSpace(row, next + 1)
    else if (row[next] !== closeObject) return malformed
  }
  if (before === scan.problem) checkObject(scan, rule, row, at, next + 1, seen)
  return next + 1
}

/** Reads the value that begins at `at`. Returns the place after it, or `malformed` if there is none. */
export const scanValue = (scan: Scan, row: Uint8Array, at: number, rule: ValueRule | undefined): number =>
  scanNested(scan, row, at, rule, 0)
