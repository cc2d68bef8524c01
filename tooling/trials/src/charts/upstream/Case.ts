// A test of the real service, as what it sends and what it expects.

/** What a case refers to: the ids and times of one run. */
export interface CaseContext {
  /** The source of logs. */
  readonly logs: string
  /** The source of metrics. */
  readonly metrics: string
  /** The source of another organization. */
  readonly foreign: string
  /** A source whose connection was deleted. */
  readonly orphan: string
  /** Milliseconds since 1970; the range is the hour before `end`. */
  readonly start: number
  readonly end: number
}

/** What is expected of an answer. */
export interface Expected {
  readonly status: number
  /** Fields that the body has. */
  readonly has?: ReadonlyArray<string>
  /** Fields that it has not. */
  readonly lacks?: ReadonlyArray<string>
  /** How many rows `data` has. */
  readonly length?: number
  readonly atLeast?: number
  readonly atMost?: number
  /** For each of these, a row of `data` has these fields with these values. */
  readonly includes?: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Fields that each row has, and with `only` no others. */
  readonly fields?: ReadonlyArray<string>
  readonly only?: true
  /** The value of a field of each row, as a number or as it is. */
  readonly numbers?: Readonly<Record<string, number>>
  readonly every?: Readonly<Record<string, unknown>>
  /** Fields of each row whose values are numbers, or texts. */
  readonly finite?: ReadonlyArray<string>
  readonly texts?: ReadonlyArray<string>
  /** The sum of a field over all rows. A row without it counts 0. */
  readonly sums?: Readonly<Record<string, number>>
  /** `rows` of the body is the count of `data`. */
  readonly counted?: true
  /** The first row of the answer to this request is the second one of the answer. */
  readonly thenSecond?: (context: CaseContext) => object
}

export interface UpstreamCase {
  /** The name of the test there. */
  readonly name: string
  readonly authorized?: false
  readonly body: (context: CaseContext) => object
  readonly expected: Expected
  /** Why this service answers otherwise. Such a case is listed in docs/compatibility.md and must differ. */
  readonly differs?: string
}

const isIn = (row: any, values: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(values).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value))

const rowFaults = (row: any, expected: Expected): ReadonlyArray<string> => {
  const { every = {}, fields = [], finite = [], numbers = {}, only, texts = [] } = expected
  const faults = fields.filter((name) => !(name in row)).map((name) => `a row lacks ${name}`)
  if (only && Object.keys(row).length !== fields.length) faults.push(`a row has ${Object.keys(row).join()}`)
  for (const [name, value] of Object.entries(numbers))
    if (Number(row[name]) !== value) faults.push(`${name} is ${row[name]}, not ${value}`)
  if (!isIn(row, every)) faults.push(`a row is ${JSON.stringify(row)}`)
  for (const name of finite) if (Number.isNaN(Number(row[name]))) faults.push(`${name} is no number`)
  for (const name of texts) if (typeof row[name] !== "string") faults.push(`${name} is no text`)
  return faults
}

/** What is wrong with an answer. */
export const faultsOf = (status: number, body: any, expected: Expected): ReadonlyArray<string> => {
  if (status !== expected.status) return [`the status is ${status}, not ${expected.status}: ${JSON.stringify(body)}`]
  const faults: Array<string> = []
  for (const name of expected.has ?? []) if (!(name in body)) faults.push(`the body lacks ${name}`)
  for (const name of expected.lacks ?? []) if (name in body) faults.push(`the body has ${name}`)
  if (status !== 200) return faults
  const data: unknown = body.data
  if (!Array.isArray(data)) return [...faults, "data is no list"]
  const { atLeast = 0, atMost = Infinity, counted, includes = [], length = data.length, sums = {} } = expected
  if (data.length !== length || data.length < atLeast || data.length > atMost) faults.push(`${data.length} rows`)
  if (counted && body.rows !== data.length) faults.push(`rows is ${body.rows}, not ${data.length}`)
  for (const row of data) faults.push(...rowFaults(row, expected))
  for (const wanted of includes)
    if (!data.some((row) => isIn(row, wanted))) faults.push(`no row has ${JSON.stringify(wanted)}`)
  for (const [name, value] of Object.entries(sums)) {
    const sum = data.reduce((total: number, row) => total + Number(row[name] ?? 0), 0)
    if (sum !== value) faults.push(`the sum of ${name} is ${sum}, not ${value}`)
  }
  return faults
}
