/** A number, as it was written: digits, with a point and an exponent if it has them, and no sign. */
export interface NumberText {
  readonly _tag: "NumberText"
  readonly text: string
}

/** What an expression is made of. Operators, `CASE`, `BETWEEN`, arrays and tuples are calls of functions, too. */
export type Expression =
  | { readonly _tag: "Literal"; readonly value: string | boolean | null | NumberText }
  /** A column of the table, or a parameter of a lambda around it. */
  | { readonly _tag: "Column"; readonly name: string }
  | {
      readonly _tag: "Call"
      /** The name of a function of the function table. */
      readonly name: string
      /** What stands before the arguments: the level of `quantile(0.95)(x)`. */
      readonly parameters?: ReadonlyArray<NumberText>
      readonly arguments: ReadonlyArray<Expression>
    }
  /** `type`: a plain data type, from a list. */
  | { readonly _tag: "Cast"; readonly argument: Expression; readonly type: string }
  | { readonly _tag: "Lambda"; readonly parameters: ReadonlyArray<string>; readonly body: Expression }

/** A call of a function. */
export const call = (name: string, ...args: ReadonlyArray<Expression>): Expression => ({
  _tag: "Call",
  name,
  arguments: args
})

/** A column by its name. */
export const column = (name: string): Expression => ({ _tag: "Column", name })

/**
 * A text, a truth value or NULL.
 *
 * @example
 * ```ts
 * import { literal } from "@headgate/core/adapter"
 *
 * console.log(literal("api")) // { _tag: 'Literal', value: 'api' }
 * ```
 */
export const literal = (value: string | boolean | null): Expression => ({ _tag: "Literal", value })

/**
 * A finite number. A negative one is the negation of a number.
 *
 * @example
 * ```ts
 * import { number } from "@headgate/core/adapter"
 *
 * console.log(number(-1)._tag, number(1)._tag) // Call Literal
 * ```
 */
export const number = (value: number): Expression => {
  const written: Expression = { _tag: "Literal", value: { _tag: "NumberText", text: String(Math.abs(value)) } }
  return value < 0 ? call("negate", written) : written
}
