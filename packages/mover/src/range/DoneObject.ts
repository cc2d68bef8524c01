import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/** An object that a pipe reads: its key, and its version. */
export interface DoneObject {
  readonly key: string
  readonly etag: string
}

/** A list of all objects of a source, which a pipe compares with its record. */
export interface ObjectList {
  /** Lists that begin within 15 days of the first one with a number have the same one. */
  readonly number: number
  readonly began: DateTime.Utc
}

/** How long the first and the second list are apart, at least, after which an object is forgotten that neither has. */
const betweenLists = Duration.days(15)

/** The last list by which objects were forgotten; absent before the first one. */
export interface LastList {
  readonly number: number
  readonly began: DateTime.Utc | undefined
}

/**
 * The number of a list that begins now.
 *
 * @example
 * ```ts
 * import { numberList } from "@headgate/mover"
 * import * as DateTime from "effect/DateTime"
 *
 * const began = DateTime.makeUnsafe("2026-11-01T00:00:00Z")
 * console.log(numberList({ number: 4, began }, DateTime.makeUnsafe("2026-11-10T00:00:00Z")).number) // 4
 * console.log(numberList({ number: 4, began }, DateTime.makeUnsafe("2026-11-16T00:00:00Z")).number) // 5
 * ```
 */
export const numberList = ({ began, number }: LastList, now: DateTime.Utc): ObjectList => {
  const isNext = began === undefined || Duration.isGreaterThanOrEqualTo(DateTime.distance(began, now), betweenLists)
  return { number: isNext ? number + 1 : number, began: now }
}
