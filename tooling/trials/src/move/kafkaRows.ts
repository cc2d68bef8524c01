import { rowsTable } from "@headgate/harness/pipeRequests"
import type { Random } from "@headgate/harness/Random"
import { createHash } from "node:crypto"
import type { Query } from "./MovedSource.ts"

// Each kind is rejected for another reason. The number of the row makes the bytes of each row unique.
const rejectedRows: ReadonlyArray<(id: number) => string> = [
  // The rules of the mover find these.
  (id) => `{"n":${2 ** 32 + id},"text":"too large","small":[],"v":1}`,
  (id) => `{"n":${id},"text":"too large in an array","small":[1,300],"v":1}`,
  (id) => `{"n":${id},"text":"cut off\xff`,
  (id) => `{"n":${id},"text":"two rows","small":[],"v":1}{"n":${id},"text":"in a message","small":[],"v":1}`,
  // The rules take these, and only the engine refuses them.
  (id) => `{"n":${id},"text":"no value of a variant","small":[],"v":-1}`,
  (id) => `{"text":"no value of a variant","v":\n[${id}],"n":${id},"small":[]}`
]

const hash = (...values: ReadonlyArray<string>) => createHash("md5").update(values.join("|")).digest("hex")

const lines = (answer: string) => answer.split("\n").filter((line) => line !== "")

/** Where the rows go. */
export const tableOf = (database: string) => {
  const table = rowsTable(database)
  const more = [
    { name: "small", type: "Array(Int8)" },
    { name: "v", type: "Variant(UInt64, Date)" }
  ]
  return { ...table, columns: [...table.columns, ...more] }
}

/** Rows with a rejected one among a hundred, and a look at what became of each of them. */
export const makeRows = (random: Random) => {
  /** The values of each good row, by its number. */
  const good = new Map<string, string>()
  const rejected = new Set<string>()
  const count = () => good.size + rejected.size

  const next = (): Buffer => {
    const id = count()
    if (random.between(1, 100) === 1) {
      const row = Buffer.from(random.pick(rejectedRows)(id), "latin1")
      rejected.add(row.toString("hex"))
      return row
    }
    const [text, small, v] = [`row ${id} \u00e9\n"`, JSON.stringify([id % 128, -(id % 129)]), `${id}`]
    good.set(`${id}`, hash(text, small, v))
    return Buffer.from(`{"n":${id},"text":${JSON.stringify(text)},"small":${small},"v":${v}}`)
  }

  /** What is wrong with two tables that must hold each row once. */
  const faults = async (query: Query, database: string): Promise<ReadonlyArray<string>> => {
    const table = lines(
      await query(
        `SELECT n, lower(hex(MD5(concat(text, '|', toString(small), '|', toString(v))))) FROM ${database}.t FORMAT TSV`
      )
    )
    const errors = lines(await query(`SELECT lower(hex(raw_message)) FROM ${database}.t_pipe_errors FORMAT TSV`))
    const [stored, refused] = [new Map<string, string>(), new Set(errors)]
    let [strange, changed] = [0, 0]
    for (const line of table) {
      const [n = "", values = ""] = line.split("\t")
      stored.set(n, values)
      if (!good.has(n)) strange += 1
      else if (good.get(n) !== values) changed += 1
    }
    const notRejected = Array.from(refused).filter((row) => !rejected.has(row))
    const example = notRejected.length === 0 ? "" : `: ${Buffer.from(notRejected[0] ?? "", "hex").toString("latin1")}`
    const lost = Array.from(good.keys()).filter((n) => !stored.has(n)).length
    const rejectedLost = Array.from(rejected).filter((row) => !refused.has(row)).length
    // A mover that takes only so many rejected rows of a batch would be found out by more of them.
    const most = Number(
      await query(
        `SELECT max(rows) FROM (SELECT count() AS rows FROM ${database}.t_pipe_errors GROUP BY partition, range_from)`
      )
    )
    const found: ReadonlyArray<readonly [number, string]> = [
      [lost, `of ${good.size} good rows lost`],
      [changed, "good rows with other values"],
      [table.length - stored.size, "rows doubled"],
      [strange, "rows in the table that are not good ones"],
      [notRejected.length, `rows in the error table that are not rejected ones, byte by byte${example}`],
      [rejectedLost, `of ${rejected.size} rejected rows not in the error table`],
      [errors.length - refused.size, "rows doubled in the error table"]
    ]
    return [
      ...found.flatMap(([rows, what]) => (rows === 0 ? [] : [`${rows} ${what}`])),
      ...(most > 25 ? [] : [`no range had more than ${most} rejected rows, so the trial shows too little`])
    ]
  }

  return { next, count, faults }
}
