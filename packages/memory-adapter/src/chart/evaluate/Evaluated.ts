import { type DataType, isText, nothing, nullable } from "../value/DataType.ts"
import { refuse } from "../value/refuse.ts"
import { type Row, type Value } from "../value/Value.ts"

/** An expression that is ready to be evaluated: the type of its values, and its value for a row. */
export interface Evaluated {
  readonly type: DataType
  readonly of: (row: Row) => Value
  /** The value of a literal, and of a `tuple` or `array` of literals: functions may take it as another type. */
  readonly constant?: { readonly value: Value }
  /** The arguments of a call of `tuple` or `array`. */
  readonly items?: ReadonlyArray<Evaluated>
  /** The unit of an interval. */
  readonly unit?: IntervalUnit
}

export type IntervalUnit = "Millisecond" | "Second" | "Minute" | "Hour" | "Day" | "Week" | "Month" | "Quarter" | "Year"

/** A function: its value from its arguments. */
export type MemoryFunction = (args: ReadonlyArray<Evaluated>, name: string) => Evaluated

export const constantOf = (type: DataType, value: Value): Evaluated => ({ type, of: () => value, constant: { value } })

/** A call whose value is NULL if an argument is. */
export const strict = (
  args: ReadonlyArray<Evaluated>,
  type: DataType,
  run: (...values: ReadonlyArray<Value>) => Value
): Evaluated => {
  if (args.some(({ type: { name } }) => name === "Nothing")) return { type: nothing, of: () => null }
  return {
    type: args.some(({ type: { isNullable } }) => isNullable) ? nullable(type) : type,
    of: (row) => {
      const values = args.map((argument) => argument.of(row))
      return values.includes(null) ? null : run(...values)
    }
  }
}

/** The text of a literal; `undefined` for everything else. */
export const literalText = ({ constant, type }: Evaluated): string | undefined =>
  isText(type) && typeof constant?.value === "string" ? constant.value : undefined

/** The argument at a place, which the function table promises. */
export const at = (args: ReadonlyArray<Evaluated>, index: number): Evaluated =>
  args[index] ?? refuse("a function lacks an argument")
