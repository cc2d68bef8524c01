import { type FormulaTree, parseFormula } from "../../dashboard/config/formula.ts"
import { call, type Expression, literal, number } from "../expression/Expression.ts"

const functions = new Map([
  ["+", "plus"],
  ["-", "minus"],
  ["*", "multiply"]
])

// Numbers of formulas are written as numbers of SQL: `.5` and `1.` are too.
const numberOf = (text: string): Expression => ({
  _tag: "Literal",
  value: {
    _tag: "NumberText",
    text: text
      .replace(/^\./, "0.")
      .replace(/\.$/, "")
      .replace(/^0+(?=\d)/, "")
  }
})

const expressionOf = (tree: FormulaTree, operands: ReadonlyArray<Expression>): Expression => {
  switch (tree._tag) {
    case "Number":
      return numberOf(tree.text)
    case "Series":
      return call("coalesce", operands[tree.index] ?? literal(null), number(0))
    case "Negation":
      return call("negate", expressionOf(tree.of, operands))
    case "Operation": {
      const left = expressionOf(tree.left, operands)
      const right = expressionOf(tree.right, operands)
      // A division by 0 has no value.
      return tree.operator === "/"
        ? call("divide", left, call("nullIf", right, number(0)))
        : call(functions.get(tree.operator) ?? "plus", left, right)
    }
  }
}

/** The expression of a formula over the values of a chart: a value that is NULL counts as 0. */
export const formulaExpression = (formula: string, operands: ReadonlyArray<Expression>): Expression =>
  expressionOf(parseFormula(formula), operands)
