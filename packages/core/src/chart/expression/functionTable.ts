import type { ColumnKind } from "../query/ColumnType.ts"

/**
 * What a function gives: always the same kind, or
 * - `same`: what its first argument is that is not NULL (`second`: from the second argument on),
 * - `sum`: a time or date if an argument is one, else a number,
 * - `element`: an element of its first argument, `elements`: an array of values like its first argument,
 * - `keys`, `values`: an array of the keys or values of a map, `mapped`: an array of what its lambda gives,
 * - `filtered`: its second argument after a lambda, else its first; `folded`: an element of that.
 */
export type ResultRule =
  | ColumnKind
  | "same"
  | "second"
  | "sum"
  | "element"
  | "elements"
  | "keys"
  | "values"
  | "mapped"
  | "filtered"
  | "folded"

/** A function that an expression may call. */
export interface ChartFunction {
  /** As the engine spells it. */
  readonly name: string
  readonly kind: "plain" | "aggregate"
  readonly leastArguments: number
  readonly mostArguments: number
  readonly result: ResultRule
  /** The most numbers before the arguments, as in `quantile(0.95)(x)`. */
  readonly mostParameters: number
  /** Whether its first argument must or may be a lambda. */
  readonly lambda?: "required" | "allowed"
  /** Whether sorting, primary and partition keys of tables may call it: it only calculates, and always the same. */
  readonly isKey: boolean
}

/** Result, least and most arguments, names that keys may call, other names. */
type Row = readonly [result: ResultRule, least: number, most: number, keyNames: string, otherNames?: string]

// A function may also read a file or a URL, call a dictionary, sleep, or make a value of any size. What is not named here is refused.
// No function here takes the name of a function, a table or a data type as a text.
const plainRows: ReadonlyArray<Row> = [
  // Operators.
  [
    "boolean",
    2,
    2,
    "",
    "equals notEquals less lessOrEquals greater greaterOrEquals in notIn like notLike ilike notILike"
  ],
  ["boolean", 2, 500, "", "and or"],
  ["boolean", 1, 1, "", "not isNull isNotNull"],
  ["sum", 2, 2, "plus minus"],
  ["number", 1, 1, "negate abs"],
  ["number", 2, 2, "multiply divide modulo positiveModulo intDiv bitAnd bitShiftRight", "bitOr bitXor pow"],
  ["tuple", 0, 500, "tuple"],
  ["elements", 0, 500, "", "array"],
  ["element", 2, 2, "", "arrayElement"],
  ["other", 2, 2, "", "tupleElement getSubcolumn"],
  // Choices.
  ["second", 3, 3, "if"],
  ["second", 3, 499, "", "multiIf"],
  ["same", 2, 2, "ifNull", "nullIf"],
  ["same", 1, 1, "assumeNotNull", "toNullable"],
  ["same", 1, 100, "coalesce"],
  ["same", 2, 100, "least greatest"],
  ["same", 3, 4, "", "transform"],
  // Numbers.
  ["number", 1, 2, "", "round floor ceil trunc"],
  ["number", 1, 1, "", "sqrt cbrt exp log log2 log10 sign"],
  ["boolean", 1, 1, "", "isNaN isFinite isInfinite"],
  ["number", 4, 4, "", "widthBucket"],
  ["number", 1, 1, "toInt8 toInt16 toInt32 toInt64 toUInt8 toUInt16 toUInt32 toUInt64", "toFloat32 toFloat64"],
  ["number", 1, 1, "", "toInt32OrNull toInt64OrNull toInt64OrZero toUInt64OrNull toUInt64OrZero"],
  ["number", 1, 1, "", "toFloat64OrNull toFloat64OrZero"],
  ["number", 2, 2, "", "toDecimal64"],
  ["boolean", 1, 1, "", "toBool"],
  ["number", 1, 1, "intHash32 intHash64"],
  [
    "number",
    1,
    100,
    "cityHash64 sipHash64 xxHash32 xxHash64 farmHash64 metroHash64 murmurHash2_64 murmurHash3_64 halfMD5"
  ],
  // Times.
  ["number", 1, 2, "toYear toQuarter toMonth toDayOfYear toDayOfMonth toHour toMinute toSecond"],
  [
    "number",
    1,
    2,
    "toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss toRelativeDayNum toRelativeHourNum toUnixTimestamp",
    "toISOWeek"
  ],
  ["number", 1, 3, "toDayOfWeek"],
  ["date", 1, 2, "toMonday toStartOfYear toStartOfQuarter toStartOfMonth toDate toDate32", "toLastDayOfMonth"],
  ["date", 1, 3, "toStartOfWeek"],
  ["time", 1, 2, "toStartOfDay toStartOfHour toStartOfMinute toStartOfSecond"],
  ["time", 1, 2, "toStartOfFiveMinutes toStartOfTenMinutes toStartOfFifteenMinutes toDateTime"],
  ["time", 1, 1, "fromUnixTimestamp", "toDateTimeOrNull"],
  ["time", 1, 2, "", "fromUnixTimestamp64Milli fromUnixTimestamp64Micro fromUnixTimestamp64Nano"],
  ["number", 1, 1, "", "toUnixTimestamp64Milli toUnixTimestamp64Micro toUnixTimestamp64Nano"],
  ["time", 2, 3, "toStartOfInterval toDateTime64", "dateTrunc"],
  ["time", 1, 2, "", "parseDateTimeBestEffort parseDateTimeBestEffortOrNull"],
  ["time", 1, 3, "", "parseDateTime64BestEffort parseDateTime64BestEffortOrNull"],
  ["other", 1, 1, "toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay toIntervalWeek toIntervalMonth"],
  ["other", 1, 1, "toIntervalQuarter toIntervalYear", "toIntervalMillisecond"],
  ["time", 0, 1, "", "now"],
  ["date", 0, 0, "", "today yesterday"],
  ["sum", 2, 2, "", "addSeconds addMinutes addHours addDays addWeeks addMonths addYears"],
  [
    "sum",
    2,
    2,
    "",
    "subtractSeconds subtractMinutes subtractHours subtractDays subtractWeeks subtractMonths subtractYears"
  ],
  ["number", 3, 4, "", "dateDiff"],
  ["text", 2, 3, "", "formatDateTime"],
  ["time", 2, 2, "", "toTimeZone"],
  // Texts.
  ["text", 1, 2, "toString trimBoth", "trimLeft trimRight"],
  ["text", 1, 1, "lower upper lowerUTF8 upperUTF8 domain", "domainWithoutWWW topLevelDomain path protocol queryString"],
  ["text", 1, 1, "", "cutQueryString decodeURLComponent reverse hex"],
  ["text", 1, 1, "", "formatReadableSize formatReadableQuantity formatReadableTimeDelta"],
  ["text", 2, 2, "left right", "extract extractURLParameter"],
  ["text", 2, 3, "substring", "substringUTF8"],
  ["text", 3, 3, "", "substringIndex replaceOne replaceAll replaceRegexpOne replaceRegexpAll"],
  ["text", 1, 100, "concat"],
  ["text", 2, 100, "", "concatWithSeparator"],
  ["boolean", 1, 1, "empty notEmpty"],
  ["number", 1, 1, "length", "lengthUTF8"],
  ["number", 2, 3, "", "position positionCaseInsensitive countSubstrings"],
  ["boolean", 2, 2, "", "startsWith endsWith match hasToken hasTokenCaseInsensitive multiSearchAny"],
  ["text", 1, 1, "", "toJSONString"],
  // JSON in texts.
  ["text", 1, 20, "", "JSONExtractString JSONExtractRaw"],
  ["number", 1, 20, "", "JSONExtractInt JSONExtractUInt JSONExtractFloat JSONLength"],
  ["boolean", 1, 20, "", "JSONExtractBool JSONHas"],
  ["boolean", 1, 1, "", "isValidJSON"],
  // Arrays and maps.
  ["boolean", 2, 2, "", "has hasAny hasAll mapContains"],
  ["number", 2, 2, "", "indexOf"],
  ["same", 1, 1, "", "arrayReverse arrayDistinct"],
  ["same", 1, 100, "", "arrayConcat"],
  ["same", 2, 3, "", "arraySlice"],
  ["number", 1, 1, "", "arrayUniq"],
  ["text", 1, 2, "", "arrayStringConcat"],
  ["keys", 1, 1, "", "mapKeys"],
  ["values", 1, 1, "", "mapValues"]
]

const lambdaRows: ReadonlyArray<readonly [ResultRule, "required" | "allowed", string]> = [
  ["boolean", "required", "arrayExists arrayAll"],
  ["mapped", "required", "arrayMap"],
  ["filtered", "required", "arrayFilter"],
  ["folded", "required", "arrayFirst"],
  ["filtered", "allowed", "arraySort"],
  ["folded", "allowed", "arrayMin arrayMax"],
  ["number", "allowed", "arrayCount arraySum arrayAvg"]
]

/** Result, least and most arguments, most parameters, names. */
const aggregateRows: ReadonlyArray<readonly [ResultRule, number, number, number, string]> = [
  ["number", 0, 1, 0, "count"],
  ["number", 1, 1, 0, "sum avg stddevPop stddevSamp varPop varSamp"],
  ["same", 1, 1, 0, "min max any anyLast"],
  ["number", 1, 20, 0, "uniqExact uniq uniqCombined"],
  ["same", 1, 1, 1, "quantile quantileExact quantileTDigest median"],
  ["elements", 1, 1, 20, "quantiles"],
  ["same", 2, 2, 0, "argMin argMax"],
  ["number", 2, 2, 0, "corr"],
  ["elements", 1, 1, 1, "topK groupArray groupUniqArray"]
]

const namesOf = (text: string): ReadonlyArray<string> => text.split(" ").filter((name) => name !== "")

const plainFunctions = plainRows.flatMap(([result, leastArguments, mostArguments, keyNames, otherNames = ""]) =>
  [
    { names: keyNames, isKey: true },
    { names: otherNames, isKey: false }
  ].flatMap(({ isKey, names }) =>
    namesOf(names).map((name): ChartFunction => ({
      name,
      kind: "plain",
      leastArguments,
      mostArguments,
      result,
      mostParameters: 0,
      isKey
    }))
  )
)

const lambdaFunctions = lambdaRows.flatMap(([result, lambda, names]) =>
  namesOf(names).map((name): ChartFunction => ({
    name,
    kind: "plain",
    leastArguments: lambda === "required" ? 2 : 1,
    mostArguments: 5,
    result,
    mostParameters: 0,
    lambda,
    isKey: false
  }))
)

const aggregates = aggregateRows.flatMap(([result, leastArguments, mostArguments, mostParameters, names]) =>
  namesOf(names).flatMap((name): ReadonlyArray<ChartFunction> => {
    const rest = { kind: "aggregate", result, mostParameters, isKey: false } as const
    return [
      { name, leastArguments, mostArguments, ...rest },
      // Over the rows for which the last argument holds.
      {
        name: `${name}If`,
        leastArguments: leastArguments + 1,
        // With two arguments, it would be the count of a column.
        mostArguments: name === "count" ? 1 : mostArguments + 1,
        ...rest
      }
    ]
  })
)

/** Every function that an expression may call: those of operators, too. */
export const functionTable: ReadonlyArray<ChartFunction> = [...plainFunctions, ...lambdaFunctions, ...aggregates]

const byName = new Map(functionTable.map((entry) => [entry.name, entry]))
const byLowerName = new Map(functionTable.map((entry) => [entry.name.toLowerCase(), entry]))

/** The function of a name; in a text of a caller, case does not matter. */
export const findFunction = (name: string): ChartFunction | undefined =>
  byName.get(name) ?? byLowerName.get(name.toLowerCase())

/**
 * The function of the name that a call in a tree has; `undefined` if no expression may call it.
 *
 * @example
 * ```ts
 * import { functionOf } from "@headgate/core/adapter"
 *
 * console.log(functionOf("sumIf")?.kind, functionOf("file")) // aggregate undefined
 * ```
 */
export const functionOf = (name: string): ChartFunction | undefined => byName.get(name)
