// What becomes of each value in a column of each type, written down by hand or made so that it is known. Nothing here reads a value: it
// shares no code with what is tested.

/** A value as it stands in a row of JSON, and the text of what the column then holds; `undefined`: the row is rejected. */
export interface ValueCase {
  readonly json: string
  readonly stored: string | undefined
}

/** A type, its values, and the expression that shows what a column of it holds. */
export interface TypeCase {
  readonly type: string
  readonly show: string
  readonly values: ReadonlyArray<ValueCase>
}

const quoted = (text: string): string => JSON.stringify(text)
const bad = (...values: ReadonlyArray<string>): ReadonlyArray<ValueCase> =>
  values.map((json) => ({ json, stored: undefined }))
const good = (values: Readonly<Record<string, string>>): ReadonlyArray<ValueCase> =>
  Object.entries(values).map(([json, stored]) => ({ json, stored }))
/** Texts that are kept as they are. */
const same = (...texts: ReadonlyArray<string>): ReadonlyArray<ValueCase> =>
  texts.map((text) => ({ json: quoted(text), stored: text }))

/** What makes the row no object of JSON, whatever the column is. */
const malformed = bad(
  "nan",
  "NaN",
  "inf",
  "-inf",
  "Infinity",
  "01",
  "+5",
  ".5",
  "5.",
  "1e",
  "tru",
  "0x10",
  "-",
  "[1,]",
  '{"a"}',
  '{"a":1',
  String.raw`"\x41"`,
  String.raw`"\0"`,
  String.raw`"\ud83d"`,
  String.raw`"\ude00"`,
  String.raw`"\u00zz"`,
  '"a\nb"',
  "[1}"
)

/** What no type takes but String, which takes all of it. */
const wrong = bad('""', '"x"', '" 5"', '"5 "', '"null"', '"1,5"', "[]", "[1]", "{}", '{"a":1}', '"\\u0000"')

const nulls = bad("null")

const integers = (bits: number, isSigned: boolean): ReadonlyArray<ValueCase> => {
  const largest = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n
  const smallest = isSigned ? -largest - 1n : 0n
  const kept = [smallest, largest, largest - 1n, 0n, 1n].flatMap((value) => [String(value), quoted(String(value))])
  const beyond = [
    smallest - 1n,
    largest + 1n,
    largest + 2n,
    2n ** BigInt(bits) + 44n,
    smallest * 10n - 1n,
    largest * 10n
  ]
  return [
    ...kept.map((json) => ({ json, stored: json.replaceAll('"', "") })),
    ...good({ '"+1"': "1", '"007"': "7", true: "1", false: "0" }),
    ...beyond.flatMap((value) => bad(String(value), quoted(String(value)))),
    ...bad("1.0", "1.5", "1e2", '"1.0"', '"1e2"', '"++1"', '"--1"', '"TRUE"', "9".repeat(500)),
    ...(isSigned ? good({ "-1": "-1", "-0": "0" }) : bad("-1", '"-1"', "-0"))
  ]
}

const floats = (
  values: Readonly<Record<string, string>>,
  ...beyond: ReadonlyArray<string>
): ReadonlyArray<ValueCase> => [
  ...good({
    "0": "0",
    "1": "1",
    "-1.5": "-1.5",
    '"1.5"': "1.5",
    '"+2"': "2",
    "1e2": "100",
    true: "1",
    "0.25": "0.25"
  }),
  ...good({
    '"nan"': "nan",
    '"inf"': "inf",
    '"-Infinity"': "-inf",
    "1e-400": "0",
    '".5"': "0.5",
    '"5."': "5",
    ...values
  }),
  ...bad("1e400", "-1E400", '"1e400"', "9".repeat(400), '"1e"', '"e5"', '"0x1p3"', '"1_0"', '"--1"', ...beyond)
]

const decimals = (precision: number, scale: number): ReadonlyArray<ValueCase> => {
  const [whole, fraction] = ["9".repeat(precision - scale), "9".repeat(scale)]
  const most = `${whole}.${fraction}`
  return [
    ...[most, `-${most}`, `0.${"0".repeat(scale - 1)}1`].map((json) => ({ json, stored: json })),
    ...[most, `-${most}`, whole].map((text) => ({ json: quoted(text), stored: text })),
    ...good({ "0": "0", "1.50": "1.5", '"1.5"': "1.5", "1e1": "10", "1e-1": "0.1", "-0.5": "-0.5", '"+2"': "2" }),
    { json: `1.5${"0".repeat(scale + 5)}`, stored: "1.5" },
    ...bad(`1${"0".repeat(precision - scale)}`, `-1${"0".repeat(precision - scale)}.5`, `1e${precision - scale}`),
    ...bad(
      `0.${"0".repeat(scale)}1`,
      `1.${"1".repeat(scale + 1)}`,
      quoted(`1.${"0".repeat(scale)}9`),
      `1e-${scale + 1}`
    ),
    ...bad("1e400", '"inf"', '"nan"', '"."', '"-"', '"1e+"', '"1e"', "true", `${most}9`, "9".repeat(500))
  ]
}

const days = (first: string, last: string): ReadonlyArray<ValueCase> => [
  ...same("2024-02-29", "2000-01-01", first, last),
  ...good({ "19000": "2022-01-08", "0": "1970-01-01", '"20240105"': "2024-01-05", '"2024/01/05"': "2024-01-05" }),
  ...good({ '"2024-1-5"': "2024-01-05", '"2024.12.31"': "2024-12-31" }),
  ...bad(
    '"2024-02-30"',
    '"2023-02-29"',
    '"1900-02-29"',
    '"2024-13-01"',
    '"2024-00-10"',
    '"2024-01-00"',
    '"2024-01-32"'
  ),
  ...bad(
    '"2024-04-31"',
    '"20240230"',
    '"0000-00-00"',
    '"0001-01-01"',
    '"9999-12-31"',
    '"19000"',
    "1.5",
    "true",
    "1767225600"
  ),
  ...bad('"2024-01-01 10:00:00"', '"2024-01-01T10:00:00Z"', '"01/02/2024"', '"2024-001"', '"24-01-01"', '"2024-01-010"')
]

/** Values of times, of which all digits of a second beyond `scale` are zeros. `stored` writes the fraction as the type does. */
const times = (scale: number): ReadonlyArray<ValueCase> => {
  const stored = (time: string, digits = "") => (scale === 0 ? time : `${time}.${digits.padEnd(scale, "0")}`)
  const ten = "2024-01-01 10:00:00"
  const kept = (...texts: ReadonlyArray<string>) => texts.map((text) => ({ json: quoted(text), stored: stored(ten) }))
  return [
    ...kept(ten, "2024-01-01T10:00:00Z", "2024-01-01T12:00:00+02:00", "2024-01-01T08:30:00-0130", "2024-01-01 10:00"),
    ...kept("2024-01-01 10:00:00.000", "20240101T100000Z", "20240101100000", "2024/01/01 10:00:00", "1704103200"),
    ...kept("Mon, 01 Jan 2024 10:00:00 GMT", "2024-01-01 10:00:00 UTC", `${ten}.${"0".repeat(12)}`),
    { json: '"2024-02-29"', stored: stored("2024-02-29 00:00:00") },
    { json: '"2024-12-31T23:59:59Z"', stored: stored("2024-12-31 23:59:59") },
    ...(scale === 0
      ? bad(`"${ten}.5"`, `"${ten}.001"`)
      : [{ json: `"${ten}.5Z"`, stored: stored(ten, "5") }, ...bad(`"${ten}.${"0".repeat(scale)}1"`)]),
    ...bad('"2024-02-30 00:00:00"', '"2023-02-29T10:00:00Z"', '"2024-01-01 24:00:00"', '"2024-01-01 25:00:00"'),
    ...bad('"2024-01-01 10:60:00"', '"2024-01-01 10:61:00"', '"2024-01-01 10:00:60"', '"2024-13-01 00:00:00"'),
    ...bad(
      '"10:00:00"',
      '"01/02/2024"',
      '"13/02/2024 10:00:00"',
      '"24-01-01"',
      '"0.5"',
      '"1 Jan"',
      '"12am 2024-01-01"'
    ),
    // Of two separators the engine makes another day.
    ...bad('"2000/11-07"', '"2023/06-30T10:00:00Z"', '"2000/4-01+13:59"', '"2024-01/30"'),
    ...bad(
      '"2024"',
      '"2024-01"',
      '"now"',
      '"-1"',
      "1704103200.5",
      "true",
      '"2024-01-01T10:00:00+99:99"',
      '"0000-00-00"'
    ),
    ...bad(
      '"1800-01-01 00:00:00"',
      '"9999-12-31 23:59:59"',
      "9".repeat(30),
      '"99999999999"',
      '"2024-01-01 10:00:00 PM"'
    )
  ]
}

const leaf = (type: string, ...values: ReadonlyArray<ReadonlyArray<ValueCase>>): TypeCase => ({
  type,
  show: "toString(c)",
  values: [...malformed, ...values.flat()]
})

const required = (type: string, ...values: ReadonlyArray<ReadonlyArray<ValueCase>>) =>
  leaf(type, wrong, nulls, ...values)

const widths = [8, 16, 32, 64, 128, 256]
const enumType = String.raw`('a' = 1, 'b\'s' = 2, '5' = 4, 'ü' = 9)`
const enums = [
  ...same("a", "b's", "5", "ü"),
  ...good({
    "1": "a",
    '"1"': "a",
    "4": "5",
    '"9"': "ü",
    [String.raw`"\u0061"`]: "a",
    [String.raw`"\u00fc"`]: "ü",
    "2": "b's"
  }),
  ...bad("5", "0", "3", "-1", '"c"', '"A"', '"a "', "1.0", "true", "300", "70000", '"3"')
]
const uuidText = "b1be0000-0000-4000-8000-00000000000a"
const notTexts = bad("5", "1.5", "true", "false", "-1", "1e2")

const leaves: ReadonlyArray<TypeCase> = [
  ...widths.map((bits) => required(`Int${bits}`, integers(bits, true))),
  ...widths.map((bits) => required(`UInt${bits}`, integers(bits, false))),
  required("Float64", floats({ "0.1": "0.1", "1.7976931348623157e308": "1.7976931348623157e308" }, "1.8e308")),
  required("Float32", floats({ "16777217": "16777216", "0.1": "0.1" }, "3.4028236e38", "1e39", '"-1e39"')),
  required("BFloat16", floats({ "256": "256" }, "1e39", '"1e39"')),
  required("Decimal(9, 2)", decimals(9, 2), bad("1.999")),
  required("Decimal(18, 4)", decimals(18, 4)),
  required("Decimal(38, 10)", decimals(38, 10)),
  required("Decimal(76, 20)", decimals(76, 20)),
  required("Date", days("1970-01-01", "2149-06-06"), bad('"1969-12-31"', '"2149-06-07"', "-1", "65536")),
  required("Date32", days("1900-01-01", "2299-12-31"), good({ "-1": "1969-12-31", "120529": "2299-12-31" })),
  required("Date32", bad('"1899-12-31"', '"2300-01-01"', "-25568", "120530"), good({ "-25567": "1900-01-01" })),
  required(
    "DateTime('UTC')",
    times(0),
    same("1970-01-01 00:00:00", "2106-02-07 06:28:15"),
    good({
      "0": "1970-01-01 00:00:00",
      "1704103200": "2024-01-01 10:00:00",
      "4294967295": "2106-02-07 06:28:15",
      '"1704103200000"': "2024-01-01 10:00:00"
    }),
    bad(
      "-1",
      "4294967296",
      '"1969-12-31 23:59:59"',
      '"2106-02-07 06:28:16"',
      '"1970-01-01T00:00:00+02:00"',
      '"1704103200123"'
    )
  ),
  required(
    "DateTime('Europe/Berlin')",
    same("2024-03-31 01:59:59", "2024-03-31 03:00:00", "2024-07-01 12:00:00", "1970-01-01 01:00:00"),
    good({ '"2024-07-01T10:00:00Z"': "2024-07-01 12:00:00", "0": "1970-01-01 01:00:00" }),
    bad(
      '"2024-03-31 02:00:00"',
      '"2024-03-31 02:30:00"',
      '"1970-01-01 00:00:00"',
      '"2106-02-07 07:28:16"',
      '"2024-02-30"'
    )
  ),
  required("DateTime64(0, 'UTC')", times(0), bad('"1704103200123"', "-2208988801")),
  ...[3, 6, 9].map((scale) => required(`DateTime64(${scale}, 'UTC')`, times(scale))),
  required(
    "DateTime64(3, 'UTC')",
    same("1900-01-01 00:00:00.000", "2299-12-31 23:59:59.999", "2024-01-01 10:00:00.123"),
    good({
      "1704103200123": "2024-01-01 10:00:00.123",
      "-1": "1969-12-31 23:59:59.999",
      "1": "1970-01-01 00:00:00.001"
    }),
    bad('"1899-12-31 23:59:59"', '"2300-01-01 00:00:00"', "10413792000000", "-2208988800001", '"1704103200123456"')
  ),
  required(
    "DateTime64(9, 'UTC')",
    same("2262-04-11 23:47:16.854775807", "1900-01-01 00:00:00.000000001"),
    good({ "9223372036854775807": "2262-04-11 23:47:16.854775807" }),
    bad('"2262-04-11 23:47:16.854775808"', '"2263-01-01 00:00:00"', "9223372036854775808", '"1704103200.1234567891"')
  ),
  required("Time", same("10:00:00", "-10:00:00", "999:59:59"), good({ "5": "00:00:05", "3599999": "999:59:59" })),
  required(
    "Time",
    bad('"1000:00:00"', '"10:61:00"', '"10:00:61"', '"10:00"', '"10:00:00.5"', "3600000", "1.5", "true")
  ),
  required("Time64(3)", same("10:00:00.123"), good({ "5": "00:00:00.005", '"10:00:00.1230"': "10:00:00.123" })),
  required("Time64(3)", bad('"10:00:00.1234"', '"1000:00:00"', "3600000000", '"10:60:00"', "true")),
  required(
    "UUID",
    same(uuidText),
    good({ '"B1BE0000-0000-4000-8000-00000000000A"': uuidText, '"b1be000000004000800000000000000a"': uuidText }),
    notTexts,
    bad(
      '"b1be0000-0000-4000-8000-00000000000"',
      '"b1be0000-0000-4000-8000-00000000000ab"',
      '"zzbe0000-0000-4000-8000-00000000000a"'
    ),
    bad(
      `"{${uuidText}}"`,
      `"${uuidText} "`,
      '"b1be0000x0000-4000-8000-00000000000a"',
      '"b1be0000-00004000-8000-00000000000a"'
    )
  ),
  required(
    "IPv4",
    same("1.2.3.4", "0.0.0.0", "255.255.255.255"),
    good({ '"01.2.3.4"': "1.2.3.4" }),
    notTexts,
    bad(
      '"1.2.3"',
      '"256.1.1.1"',
      '"1.2.3.4.5"',
      '"1.2.3.4 "',
      '"::1"',
      '"1.2.3.-4"',
      '"1..2.3"',
      '"a.b.c.d"',
      '"1.2.3.1000"'
    )
  ),
  required(
    "IPv6",
    same("::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"),
    good({ '"1.2.3.4"': "::ffff:1.2.3.4", '"2001:DB8::1"': "2001:db8::1" }),
    notTexts,
    bad('"1::2::3"', '"12345::"', '"fe80::1%eth0"', '"[::1]"', '"::ffff:256.2.3.4"', '"1:2:3"', '":::"', '"g::"')
  ),
  required("Bool", good({ true: "true", false: "false", "1": "true", "0": "false" })),
  required(
    "Bool",
    bad("2", "-1", "1.0", "256", '"true"', '"yes"', '"1"', '"0"', '"t"', '"TRUE"', '"on"', '"false"', "1e0")
  ),
  required(`Enum8${enumType}`, enums),
  required(`Enum16${enumType}`, enums),
  leaf("FixedString(3)", same("abc", "x12", "ü1"), nulls, notTexts),
  leaf("FixedString(3)", bad('"abcd"', '"üü"', String.raw`"\u00fc\u00fc"`, "[]", "{}", "[1]", "12", "1234")),
  leaf(
    "String",
    same("", "x", "ü", " 5 ", "2024-02-30", "null", "a\tb", '"', "\\", "/", "😀", "nan", "\u0000", "'"),
    good({
      "5": "5",
      "1.50": "1.50",
      "1e400": "1e400",
      true: "true",
      "-0": "-0",
      "[1, 2]": "[1, 2]",
      '{"a": 1}': '{"a": 1}'
    }),
    good({
      [String.raw`"\/\b\f\n\r\t\"\\"`]: '/\b\f\n\r\t"\\',
      [String.raw`"\ud83d\ude00"`]: "😀",
      "[null]": "[null]"
    }),
    nulls
  ),
  required("SimpleAggregateFunction(max, UInt64)", integers(64, false)),
  required(
    "IntervalDay",
    integers(64, true).filter(({ json }) => !/^(?:true|false)$/.test(json))
  )
]

/** The values of a type as those of a container that holds one of them. */
const within = (of: string, type: string, show: string, around: (json: string) => string): TypeCase => {
  const values = leaves.filter((one) => one.type === of).flatMap((one) => one.values)
  const inside = values.map(({ json, stored }) => ({ json: around(json), stored }))
  return { type, show, values: [...inside, ...bad("null", "5", '"x"', '""', "true")] }
}

const listed = [
  "Int8",
  "UInt64",
  "Int128",
  "Float32",
  "Decimal(9, 2)",
  "Date",
  "DateTime('UTC')",
  "DateTime64(3, 'UTC')"
]
const more = ["UUID", "IPv4", "Bool", `Enum8${enumType}`, "FixedString(3)", "Date32", "Decimal(38, 10)", "String"]

const containers: ReadonlyArray<TypeCase> = [
  ...[...listed, ...more].map((of) => within(of, `Array(${of})`, "toString(c[1])", (json) => `[${json}]`)),
  ...listed.map((of) => within(of, `Map(String, ${of})`, "toString(c['k'])", (json) => `{"k": ${json}}`)),
  ...["Int8", "Date", "Decimal(9, 2)", "DateTime64(3, 'UTC')"].flatMap((of) => [
    within(of, `Tuple(a ${of}, b String)`, "toString(c.a)", (json) => `{"b":"x","a":${json},"other":[{}]}`),
    within(of, `Tuple(String, ${of})`, "toString(c.2)", (json) => `["x",${json}]`),
    within(of, `Array(Array(${of}))`, "toString(c[2][1])", (json) => `[[],[${json}]]`),
    within(of, `Array(Tuple(a ${of}))`, "toString(c[1].a)", (json) => `[{"a":${json}}]`),
    within(of, `Map(String, Array(${of}))`, "toString(c['k'][1])", (json) => `{"k":[${json}]}`)
  ]),
  {
    type: "Tuple(a Int8, b String)",
    show: "toString(c.a)",
    values: [
      ...bad('{"a":1}', '{"b":"x"}', "{}", '[1,"x"]', '{"a":1,"b":"x","a":1}', '{"A":1,"b":"x"}'),
      ...good({ '{"b":"x","a":1}': "1" })
    ]
  },
  {
    type: "Tuple(Int8, String)",
    show: "toString(c.1)",
    values: [...bad("[1]", '[1,"x",2]', "[]", '{"1":1,"2":"x"}'), ...good({ '[1,"x"]': "1" })]
  },
  {
    type: "Map(Int8, String)",
    show: "toString(mapKeys(c))",
    values: [
      ...bad('{"300":"a"}', '{"":"a"}', '{"a":"a"}', '{"1.5":"a"}', '{"1":null}'),
      ...good({ "{}": "[]", '{"1":"a"}': "[1]", '{"-128":"a","5":"b"}': "[-128,5]" })
    ]
  },
  {
    type: "Map(Date, Int8)",
    show: "toString(mapKeys(c))",
    values: [
      ...bad('{"2024-02-30":1}', '{"":1}', '{"2024-01-01":300}'),
      ...good({ '{"2024-02-29":1}': "['2024-02-29']" })
    ]
  },
  {
    type: "Point",
    show: "toString(c)",
    values: [...bad("[1,2,3]", "[1]", '{"x":1}', "[null,1]", "[1e400,1]", '"(1,2)"'), ...good({ "[1,2.5]": "(1,2.5)" })]
  },
  {
    type: "Array(Nullable(Int8))",
    show: "toString(c)",
    values: [...bad("[300]", "null", "[[1]]"), ...good({ "[null,1]": "[NULL,1]", "[]": "[]" })]
  },
  {
    type: "Array(LowCardinality(Nullable(String)))",
    show: "toString(c)",
    values: [...bad("null", '"a"'), ...good({ '["a",null]': "['a',NULL]" })]
  },
  {
    type: "Tuple(a Nullable(Int8), b Int8)",
    show: "toString(c)",
    values: [...bad('{"a":1}', '{"a":300,"b":1}'), ...good({ '{"b":1}': "(NULL,1)", '{"a":null,"b":1}': "(NULL,1)" })]
  }
]

/** The values of a type as those of one that takes nulls, too. */
const nullable = (of: string, type = `Nullable(${of})`): TypeCase => {
  const values = leaves.filter((one) => one.type === of).flatMap((one) => one.values)
  return {
    type,
    show: "ifNull(toString(c), 'NULL')",
    values: [...values.filter(({ json }) => json !== "null"), ...good({ null: "NULL" })]
  }
}

/** All types, each with all of its values. A type may stand here more than once. */
export const typeCases: ReadonlyArray<TypeCase> = [
  ...leaves,
  ...containers,
  ...["Int8", "UInt64", "Decimal(9, 2)", "Date", "DateTime64(3, 'UTC')", "UUID", "Float64"].map((of) => nullable(of)),
  nullable("String", "LowCardinality(Nullable(String))"),
  {
    ...nullable("String", "LowCardinality(String)"),
    values: leaves.filter(({ type }) => type === "String").flatMap(({ values }) => values)
  }
]

/** Good and bad values in all orders: bad ones first and last, next to one another, and between good ones. */
export const inAllOrders = (values: ReadonlyArray<ValueCase>): ReadonlyArray<ValueCase> => {
  const [kept, left] = [
    values.filter(({ stored }) => stored !== undefined),
    values.filter(({ stored }) => stored === undefined)
  ]
  const turns = Math.max(kept.length, left.length)
  const between = Array.from({ length: turns }, (_, index) => [
    kept[index % kept.length],
    left[index % left.length]
  ]).flat()
  return [...left, ...kept, ...between.filter((value) => value !== undefined), ...left]
}
