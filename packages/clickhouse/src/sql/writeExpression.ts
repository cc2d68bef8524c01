import { type Expression, functionOf, isCastType, isListOfLiterals, type NumberText } from "@headgate/core/adapter"
import { quoteIdentifier, quoteString } from "./quote.ts"

const number = /^\d{1,100}(?:\.\d{1,100})?(?:[eE][+-]?\d{1,100})?$/

/** A tree that no parser makes is a mistake of the program, whatever a caller wrote. */
const refuse = (what: string): never => {
  throw new Error(`an expression cannot be written: ${what}`)
}

const writeNumber = ({ text }: NumberText): string => (number.test(text) ? text : refuse(`no number: ${text}`))

const writeLiteral = (value: Extract<Expression, { _tag: "Literal" }>["value"]): string => {
  if (value === null) return "NULL"
  if (typeof value === "string") return quoteString(value)
  return typeof value === "boolean" ? String(value) : writeNumber(value)
}

const writeCall = ({ arguments: args, name, parameters }: Extract<Expression, { _tag: "Call" }>): string => {
  if (functionOf(name) === undefined) return refuse(`no function of expressions: ${name}`)
  const isIn = name === "in" || name === "notIn"
  // The engine would take a name in its place for a table.
  if (isIn && !isListOfLiterals(args[1])) return refuse(`${name} without literals`)
  const before = parameters === undefined ? "" : `(${parameters.map(writeNumber).join(", ")})`
  const written = `${name}${before}(${args.map(writeExpression).join(", ")})`
  // In `position(in(...), ...)` the engine would read `in` as an operator.
  return isIn ? `(${written})` : written
}

/**
 * An expression as SQL. Each operator is a call, so that no precedence matters; names and texts are quoted. What a caller wrote is in
 * the tree only as names of columns, texts and numbers. Throws for a tree that no parser makes.
 */
export function writeExpression(expression: Expression): string {
  switch (expression._tag) {
    case "Literal":
      return writeLiteral(expression.value)
    case "Column":
      return quoteIdentifier(expression.name)
    case "Call":
      return writeCall(expression)
    case "Cast":
      return isCastType(expression.type)
        ? `CAST(${writeExpression(expression.argument)}, ${quoteString(expression.type)})`
        : refuse(`no type for a cast: ${expression.type}`)
    case "Lambda":
      return `((${expression.parameters.map(quoteIdentifier).join(", ")}) -> ${writeExpression(expression.body)})`
  }
}
