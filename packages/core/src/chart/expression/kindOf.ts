import { type ColumnKind, type ColumnType, columnTypeOf } from "../query/ColumnType.ts"
import type { Expression } from "./Expression.ts"
import { functionOf, type ResultRule } from "./functionTable.ts"

/** What the values of an expression are: the part of a data type that can be told without the engine. */
interface ValueType {
  readonly kind: ColumnKind
  /** Of an array: of its elements. Of a map: of its values. */
  readonly element?: ValueType | undefined
}

const other: ValueType = { kind: "other" }
const text: ValueType = { kind: "text" }

const isTemporal = ({ kind }: ValueType): boolean => kind === "time" || kind === "date"

const firstKnown = (types: ReadonlyArray<ValueType>): ValueType => types.find(({ kind }) => kind !== "other") ?? other

/** The type of `a + b` and `a - b`: two times give a number. */
const sumOf = (types: ReadonlyArray<ValueType>): ValueType => {
  const times = types.filter(isTemporal)
  return times.length === 1 ? (times[0] ?? other) : { kind: "number" }
}

const resultOf = (rule: ResultRule, args: ReadonlyArray<ValueType>, lambda: ValueType | undefined): ValueType => {
  const [first = other] = args
  switch (rule) {
    case "same":
      return firstKnown(args)
    case "second":
      return firstKnown(args.slice(1))
    case "sum":
      return sumOf(args)
    case "element":
    case "folded":
      return first.element ?? other
    case "filtered":
      return first
    case "elements":
      return { kind: "array", element: firstKnown(args) }
    case "keys":
      return { kind: "array", element: text }
    case "values":
      return { kind: "array", element: first.element }
    case "mapped":
      return { kind: "array", element: lambda }
    default:
      return { kind: rule }
  }
}

const literalType = (value: Extract<Expression, { _tag: "Literal" }>["value"]): ValueType => {
  if (value === null) return other
  if (typeof value === "string") return text
  return { kind: typeof value === "boolean" ? "boolean" : "number" }
}

const typeOf = (expression: Expression, columns: ReadonlyMap<string, ValueType>): ValueType => {
  switch (expression._tag) {
    case "Literal":
      return literalType(expression.value)
    case "Column":
      return columns.get(expression.name) ?? other
    case "Cast":
      return columnTypeOf(expression.type)
    case "Lambda":
      return other
    case "Call": {
      const [first, ...rest] = expression.arguments
      const rule = functionOf(expression.name)?.result ?? "other"
      if (first?._tag !== "Lambda")
        return resultOf(
          rule,
          expression.arguments.map((argument) => typeOf(argument, columns)),
          undefined
        )
      const arrays = rest.map((argument) => typeOf(argument, columns))
      const inside = first.parameters.map((name, index) => [name, arrays[index]?.element ?? other] as const)
      return resultOf(rule, arrays, typeOf(first.body, new Map([...columns, ...inside])))
    }
  }
}

/**
 * What the values of an expression are, as far as the types of its columns and functions tell: `other` where they do not.
 *
 * @example
 * ```ts
 * import { call, column, columnTypeOf, kindOf } from "@headgate/core/adapter"
 *
 * const columns = new Map([["labels", columnTypeOf("Map(String, Float64)")]])
 * console.log(kindOf(call("mapKeys", column("labels")), columns)) // array
 * ```
 */
export const kindOf = (expression: Expression, columns: ReadonlyMap<string, ColumnType>): ColumnKind =>
  typeOf(expression, columns).kind
