import { quoteIdentifier, quoteString } from "@headgate/clickhouse"
import type { Expression } from "@headgate/core/adapter"

/** Writes an expression as SQL. */
export const writeExpression = (expression: Expression): string => {
  switch (expression._tag) {
    case "Literal": {
      const { value } = expression
      if (typeof value === "string") return quoteString(value)
      return value === null ? "NULL" : typeof value === "boolean" ? String(value) : value.text
    }
    case "Column":
      return quoteIdentifier(expression.name)
    case "Call": {
      const parameters = expression.parameters?.map(({ text }) => text).join(", ")
      const args = expression.arguments.map(writeExpression).join(", ")
      return `${expression.name}${parameters === undefined ? "" : `(${parameters})`}(${args})`
    }
    case "Cast":
      return `CAST(${writeExpression(expression.argument)}, ${quoteString(expression.type)})`
    case "Lambda":
      return `((${expression.parameters.map(quoteIdentifier).join(", ")}) -> ${writeExpression(expression.body)})`
  }
}
