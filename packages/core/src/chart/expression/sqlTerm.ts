import { shortName } from "../../error/knownFields.ts"
import { isCastType, typeName } from "./castTypes.ts"
import type { Expression } from "./Expression.ts"
import { readCall, type ReadExpression } from "./sqlCall.ts"
import { refused, type SqlReader } from "./SqlReader.ts"
import type { Token } from "./tokens.ts"

const units = new Map(
  ["Millisecond", "Second", "Minute", "Hour", "Day", "Week", "Month", "Quarter", "Year"].flatMap((unit) => [
    [unit.toLowerCase(), `toInterval${unit}`],
    [`${unit.toLowerCase()}s`, `toInterval${unit}`]
  ])
)

const numberOf = (reader: SqlReader, text: string): Expression =>
  reader.node({ _tag: "Literal", value: { _tag: "NumberText", text } }, [])

const readInterval = (reader: SqlReader): Expression => {
  const { position, value } = reader.take()
  if (!/^\d{1,9}$/.test(value))
    return reader.fail(position, "the number of an INTERVAL is no whole number: write INTERVAL 5 MINUTE")
  const amount = numberOf(reader, value)
  const { kind, position: at, value: word } = reader.take()
  const name = kind === "name" ? units.get(word.toLowerCase()) : undefined
  return name === undefined
    ? reader.fail(
        at,
        `${shortName(word) || "the end"} is no unit of time: write SECOND, MINUTE, HOUR, DAY, WEEK, MONTH or YEAR`
      )
    : reader.call(name, amount)
}

/** Reads `CASE` after that word, as a call of `multiIf`. */
const readCase = (reader: SqlReader, expression: ReadExpression): Expression => {
  const subject = reader.isWord("when") ? undefined : expression(reader)
  const args: Array<Expression> = []
  if (!reader.isWord("when")) return reader.expected("WHEN")
  while (reader.takesWord("when")) {
    const when = expression(reader)
    const condition = subject === undefined ? when : reader.call("equals", subject, when)
    reader.needsWord("then")
    args.push(condition, expression(reader))
  }
  args.push(reader.takesWord("else") ? expression(reader) : reader.node({ _tag: "Literal", value: null }, []))
  reader.needsWord("end")
  return reader.call("multiIf", ...args)
}

/** Reads the number or time zone of a type. */
const readTypePart = (reader: SqlReader): string => {
  const { kind, value } = reader.next
  if (kind === "name") return readType(reader)
  reader.take()
  return kind === "text" ? `'${value}'` : value
}

/** Reads a data type, as the engine writes it. */
const readType = (reader: SqlReader): string => {
  const { kind, position, value } = reader.take()
  const name = kind === "name" ? typeName(value) : undefined
  if (name === undefined) {
    reader.fail(
      position,
      `${shortName(value) || "the end"} is no type that values are cast to: write one such as Float64, String or DateTime`
    )
    return ""
  }
  if (!reader.takesSign("(")) return name
  const parts = reader.nested(() => {
    const parts = [readTypePart(reader)]
    while (reader.takesSign(",")) parts.push(readTypePart(reader))
    return parts
  }, [])
  reader.needsSign(")")
  return `${name}(${parts.join(", ")})`
}

const castTo = (reader: SqlReader, argument: Expression, type: string, position: number): Expression =>
  reader.issue === undefined && !isCastType(type)
    ? reader.fail(
        position,
        `${shortName(type)} is no type that values are cast to: write one such as Float64, String or DateTime64(3)`
      )
    : reader.node({ _tag: "Cast", argument, type }, [argument])

/** Reads `CAST` after its bracket: both `CAST(x AS T)` and `CAST(x, 'T')`. */
const readCast = (reader: SqlReader, expression: ReadExpression): Expression => {
  const argument = expression(reader)
  const isText = reader.takesSign(",")
  if (!isText) reader.needsWord("as")
  const { kind, position, value } = reader.next
  if (isText && kind !== "text") return reader.expected("a type in single quotes")
  const type = isText ? reader.take() && value : readType(reader)
  reader.needsSign(")")
  return castTo(reader, argument, type, position)
}

// Names with more points than a table has make the search for the column among them slow.
const mostPoints = 50

/** Reads a name with the points in it: the longest beginning that is a column, and the path in it. */
const readColumn = (reader: SqlReader, first: Token): Expression => {
  const steps = [first.value]
  while (reader.isSign(".") && ["name", "quoted"].includes(reader.ahead(1).kind)) {
    reader.take()
    steps.push(reader.take().value)
    if (steps.length > mostPoints)
      return reader.fail(first.position, `the name has more than ${mostPoints} points: write the name of a column`)
  }
  if (reader.isSign("("))
    return reader.fail(first.position, "a name with points or quotes is no function: write its name alone")
  let count = steps.length
  while (count > 1 && !reader.scope.columns.has(steps.slice(0, count).join("."))) count -= 1
  const name = steps.slice(0, count).join(".")
  if (count === steps.length) return reader.column(name, first.position)
  return reader.scope.columns.get(name)?.kind === "json"
    ? reader.call(
        "getSubcolumn",
        reader.column(name, first.position),
        reader.node({ _tag: "Literal", value: steps.slice(count).join(".") }, [])
      )
    : reader.fail(first.position, reader.unknownColumn(steps.join(".")))
}

const constants = new Map<string, boolean | null>([
  ["null", null],
  ["true", true],
  ["false", false]
])

const statements = new Set(["select", "with", "from", "where", "exists", "union", "settings", "format", "explain"])

/** What a word means where a value is expected, beside the name of a column or a function. */
const readWord = (reader: SqlReader, token: Token, expression: ReadExpression): Expression | undefined => {
  const word = token.value.toLowerCase()
  const isColumn = reader.scope.columns.has(token.value) || reader.isParameter(token.value)
  const constant = constants.get(word)
  if (reader.isSign("(")) {
    if (word !== "cast") return undefined
    reader.take()
    return readCast(reader, expression)
  }
  if (constant !== undefined) return reader.node({ _tag: "Literal", value: constant }, [])
  if (word === "interval" && (reader.next.kind === "number" || reader.next.kind === "text")) return readInterval(reader)
  if (isColumn) return undefined
  if (word === "case") return readCase(reader, expression)
  if (word === "distinct")
    return reader.fail(token.position, "DISTINCT is taken only in count(DISTINCT x): write uniqExact(x)")
  return statements.has(word)
    ? reader.fail(
        token.position,
        `${word.toUpperCase()} is not taken: write an expression over the columns, without queries in it`
      )
    : undefined
}

/** Reads what stands in brackets: an expression, or a tuple of several. */
const readBrackets = (reader: SqlReader, expression: ReadExpression): Expression => {
  if (reader.isSign(")")) return reader.expected("an expression")
  const parts = [expression(reader)]
  let isTuple = false
  while (reader.takesSign(",")) {
    isTuple = true
    // `(x,)` is a tuple of one value.
    if (parts.length === 1 && reader.isSign(")")) break
    parts.push(expression(reader))
  }
  reader.needsSign(")", " or ,")
  return isTuple ? reader.call("tuple", ...parts) : (parts[0] ?? refused)
}

const readArray = (reader: SqlReader, expression: ReadExpression): Expression => {
  const parts: Array<Expression> = []
  if (!reader.isSign("]")) {
    do parts.push(expression(reader))
    while (reader.takesSign(","))
  }
  reader.needsSign("]", " or ,")
  return reader.call("array", ...parts)
}

const readNamed = (reader: SqlReader, token: Token, expression: ReadExpression): Expression => {
  const word = readWord(reader, token, expression)
  if (word !== undefined) return word
  return reader.isSign("(") ? readCall(reader, token, expression) : readColumn(reader, token)
}

const readPrimary = (reader: SqlReader, expression: ReadExpression): Expression => {
  const { kind, position, value } = reader.next
  switch (kind) {
    case "number":
      reader.take()
      return numberOf(reader, value)
    case "text":
      reader.take()
      return reader.node({ _tag: "Literal", value }, [])
    case "quoted":
      return readColumn(reader, reader.take())
    case "name": {
      const token = reader.take()
      return reader.nested(() => readNamed(reader, token, expression), refused)
    }
    default:
      if (reader.takesSign("(")) return reader.nested(() => readBrackets(reader, expression), refused)
      if (reader.takesSign("[")) return reader.nested(() => readArray(reader, expression), refused)
      if (reader.isSign("*")) return reader.fail(position, "* is not taken for all columns: write their names")
      return reader.expected("a column, a value or a function")
  }
}

/** Reads a value with what follows it without an operator: `[i]`, `.1`, `::Type`. */
export const readTerm = (reader: SqlReader, expression: ReadExpression): Expression => {
  let term = readPrimary(reader, expression)
  for (;;) {
    if (reader.takesSign("[")) {
      const index = reader.nested(() => expression(reader), refused)
      reader.needsSign("]")
      term = reader.call("arrayElement", term, index)
    } else if (reader.isSign(".") && reader.ahead(1).kind === "number") {
      reader.take()
      term = reader.call("tupleElement", term, numberOf(reader, reader.take().value))
    } else if (reader.takesSign("::")) {
      const { position } = reader.next
      term = castTo(reader, term, readType(reader), position)
    } else return term
  }
}
