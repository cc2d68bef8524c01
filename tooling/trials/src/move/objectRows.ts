import type { Random } from "@headgate/harness/Random"
import { createHash } from "node:crypto"
import type { Query } from "./MovedSource.ts"

/** A version of an object: its good rows, each with a hash of its values, and its rejected lines. */
interface Version {
  readonly body: string
  readonly good: ReadonlyMap<string, string>
  readonly rejected: ReadonlyArray<string>
}

// The first is found by the rules of the mover, the second has no end.
const rejectedLines: ReadonlyArray<(n: number) => string> = [
  (n) => `{"n":-${n},"text":"bad ${n}"}`,
  (n) => `{"n":${n},"text":"cut off`
]

const lines = (answer: string) => answer.split("\n").filter((line) => line !== "")

const hash = (text: string) => createHash("md5").update(text).digest("hex")

/** The objects of a round, in all versions that each had, and a look at what became of them. */
export const makeObjects = (random: Random) => {
  /** By their keys. No two versions have a row in common. */
  const objects = new Map<string, Array<Version>>()
  let rows = 0

  /** A new version of an object, of as many good and rejected rows as each of its versions has. */
  const write = (key: string, goodRows: number, rejectedRows: number): string => {
    const good = new Map<string, string>()
    const written: Array<string> = []
    for (let row = 0; row < goodRows; row += 1) {
      const n = (rows += 1)
      const text = `row ${n} \u00e9 of ${key}`
      good.set(`${n}`, hash(text))
      written.push(`{"n":${n},"text":${JSON.stringify(text)}}`)
    }
    const rejected = Array.from(
      { length: rejectedRows },
      (_, row) => rejectedLines[row % rejectedLines.length]?.((rows += 1)) ?? ""
    )
    // Among the good ones, wherever that is.
    for (const line of rejected) written.splice(random.between(0, written.length), 0, line)
    const body = `${written.join("\n")}\n`
    objects.set(key, [...(objects.get(key) ?? []), { body, good, rejected }])
    return body
  }

  const expected = () => {
    let good = 0
    for (const [first] of objects.values()) good += first?.good.size ?? 0
    return good
  }

  /** The rows of the table by their numbers, and how many of them are there twice. */
  const tableOf = async (query: Query, database: string) => {
    const found = lines(await query(`SELECT n, lower(hex(MD5(text))) FROM ${database}.t FORMAT TSV`))
    const table = new Map(found.map((line) => [line.split("\t")[0] ?? "", line.split("\t")[1] ?? ""] as const))
    return { table, doubled: found.length - table.size }
  }

  /** Which version of an object the table has rows of; several if they are mixed. */
  const versionsIn = (table: ReadonlyMap<string, string>, versions: ReadonlyArray<Version>) =>
    versions.filter(({ good }) => Array.from(good.keys()).some((n) => table.has(n)))

  /** How many objects have another version now than the one of which the table has rows. */
  const changed = async (query: Query, database: string) => {
    const { table } = await tableOf(query, database)
    const differing = Array.from(objects.values()).filter(
      (versions) => versionsIn(table, versions)[0] !== versions.at(-1)
    )
    return differing.length
  }

  /** What is wrong with two tables that must hold one version of each object, whole and once. */
  const faults = async (query: Query, database: string): Promise<ReadonlyArray<string>> => {
    const { doubled, table } = await tableOf(query, database)
    const errors = lines(await query(`SELECT lower(hex(raw_message)) FROM ${database}.t_pipe_errors FORMAT TSV`)).map(
      (text) => Buffer.from(text, "hex").toString()
    )
    const inErrorTable = new Set(errors)
    const left = Number(await query("SELECT count() FROM system.tables WHERE name LIKE 'headgate_stage_%'"))
    let [lost, parts, mixed, values, rejectedLost, good, rejected] = [0, 0, 0, 0, 0, 0, 0]
    for (const versions of objects.values()) {
      const [version, ...more] = versionsIn(table, versions)
      if (more.length > 0) mixed += 1
      if (version === undefined) {
        lost += 1
        continue
      }
      good += version.good.size
      rejected += version.rejected.length
      if (Array.from(version.good.keys()).some((n) => !table.has(n))) parts += 1
      for (const [n, text] of version.good) if (table.has(n) && table.get(n) !== text) values += 1
      rejectedLost += version.rejected.filter((line) => !inErrorTable.has(line)).length
    }
    const found: ReadonlyArray<readonly [number, string]> = [
      [lost, `of ${objects.size} objects lost`],
      [parts, "objects of which rows are lost"],
      [mixed, "objects with rows of several versions"],
      [values, "rows with other values"],
      [doubled, "rows doubled"],
      [Math.max(0, table.size - good), "rows in the table that are not good ones"],
      [rejectedLost, "rejected rows not in the error table"],
      [
        Math.max(0, inErrorTable.size - rejected),
        "rows in the error table that are not rejected ones of what was read"
      ],
      [errors.length - inErrorTable.size, "rows doubled in the error table"],
      [left, "staging tables left"]
    ]
    return found.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  }

  return { write, expected, changed, faults, written: () => rows }
}
