import * as Predicate from "effect/Predicate"
import type { FieldIssue } from "../../error/FieldIssue.ts"

/** An object of JSON. Rules over several fields compare the values of its fields, whatever their type is. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** The value, if it is an object. */
export const objectOf = (value: unknown): JsonObject | undefined => (Predicate.isObject(value) ? value : undefined)

/** The objects of a list that was read; none if the field is absent. */
export const objectsOf = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(Predicate.isObject) : []

/** The most issues of one body that are reported. The search stops there: a body may have hundreds of thousands. */
export const maxReported = 100

/** The issues of one request body, and the path of the value that is being read: `tiles.0.config.select.1.aggFn`. */
export class Issues {
  readonly #found: Array<FieldIssue> = []
  readonly #path: Array<PropertyKey> = []

  get count(): number {
    return this.#found.length
  }

  get isFull(): boolean {
    return this.count > maxReported
  }

  /** All issues that were reported. After {@link maxReported}, one without a path says that there are more. */
  get list(): ReadonlyArray<FieldIssue> {
    return this.#found
  }

  /** Reports an issue of the value that is being read, or of one below it. */
  report(message: string, below: ReadonlyArray<PropertyKey> = []): void {
    if (this.isFull) return
    this.#found.push(
      this.count === maxReported
        ? { path: "", message: `and more: only the first ${maxReported} are listed` }
        : { path: [...this.#path, ...below].join("."), message }
    )
  }

  /** Reads a value one level below. */
  below<A>(key: PropertyKey, read: (input: unknown, issues: Issues) => A, input: unknown): A {
    this.#path.push(key)
    const result = read(input, this)
    this.#path.pop()
    return result
  }
}
