import { call, column, type Expression, functionTable, literal } from "@headgate/core/adapter"
import type { Random } from "./Random.ts"

const texts = [
  "",
  "x",
  "it's",
  "\\",
  "\\'",
  "'",
  "''",
  "`",
  '"',
  ";",
  "--",
  "/*",
  ") OR (1",
  "\n",
  "\0",
  "%_\\%",
  "\u00e9\u2028\ud83d\ude00",
  "{p:String}"
]
const numbers = ["0", "1", "0.5", "18446744073709551616", "1e3", "1E-3", "0.1e+2", "9007199254740993"]
const types = ["String", "Float64", "Nullable(Int64)", "DateTime64(3, 'UTC')", "Decimal(18, 2)", "Date"]

const leaf = (random: Random, names: ReadonlyArray<string>): Expression => {
  switch (random.between(0, 4)) {
    case 0:
      return literal(random.pick(texts))
    case 1:
      return literal(random.pick([true, false, null]))
    case 2:
      return { _tag: "Literal", value: { _tag: "NumberText", text: random.pick(numbers) } }
    default:
      return column(random.pick(names))
  }
}

/**
 * A tree such as the parsers make, over any functions of the table. It need not have a type: it is there to be written and read, not to be
 * run.
 */
export const randomExpression = (random: Random, names: ReadonlyArray<string>, depth = 4): Expression => {
  if (depth === 0 || random.between(0, 5) === 0) return leaf(random, names)
  const inner = () => randomExpression(random, names, depth - 1)
  if (random.between(0, 9) === 0) return { _tag: "Cast", argument: inner(), type: random.pick(types) }
  const entry = random.pick(functionTable)
  const count = random.between(entry.leastArguments, Math.min(entry.mostArguments, entry.leastArguments + 2))
  const args = Array.from({ length: count }, inner)
  if (entry.name === "in" || entry.name === "notIn")
    return call(entry.name, inner(), call("tuple", literal(random.pick(texts)), call("negate", literal(null))))
  if (entry.lambda === "required") {
    const parameters = random.pick([["x"], ["x", "y`\\"]])
    const body = randomExpression(random, [...names, ...parameters], depth - 1)
    return call(entry.name, { _tag: "Lambda", parameters, body }, ...args.slice(1))
  }
  const level = { _tag: "NumberText", text: "0.5" } as const
  return entry.mostParameters > 0 && random.between(0, 1) === 0
    ? { _tag: "Call", name: entry.name, parameters: [level], arguments: args }
    : call(entry.name, ...args)
}
