// Hostile texts in every field that reaches a query: no statement may be made of them, nothing is sent, read or written, and no row is
// answered.
import { serveLocally } from "@headgate/harness/ReverseProxy"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ChartAnswer, startChartServer, stopServer, warehouseConnection } from "./ChartServer.ts"
import { type Field, fields, type Stage } from "./hostile/fields.ts"
import { makeJudge } from "./hostile/judge.ts"
import { hostileTexts, type Targets } from "./hostile/texts.ts"
import { createOtelTables, timeOf } from "./otelTables.ts"
import type { Part } from "./Part.ts"
import { overHttp } from "./Warehouses.ts"

// No row is in it.
const from = Date.UTC(2030, 0, 1)
const to = from + 24 * 3_600_000

const rowSecret = "a-row-of-another-table"
const fileSecret = "a-line-of-a-file"
const outsideSecret = "a-row-outside-of-the-range"
const secrets = [rowSecret, fileSecret, outsideSecret]

/** Whether an answer tells of a row: none is in the range. */
const hasRows = ({ json, status }: ChartAnswer): boolean => {
  if (status !== 200) return false
  if (Array.isArray(json?.data)) return json.data.length > 0
  const values: ReadonlyArray<any> = json?.data?.columns ?? []
  return (json?.data?.rows ?? []).some((row: ReadonlyArray<unknown>) =>
    values.some(({ role }, index) => role === "value" && Number(row[index]) > 0)
  )
}

/** What is wrong with an answer to a text. */
const answerFault = (field: Field, answer: ChartAnswer): string | undefined => {
  const secret = secrets.find((one) => answer.text.includes(one))
  if (secret !== undefined) return `the answer has ${secret}`
  if (/DB::|chdb|Code: \d+/.test(answer.text))
    return `the answer has a text of the engine: ${answer.text.slice(0, 200)}`
  if (hasRows(answer)) return `rows outside of the range are answered: ${answer.text.slice(0, 200)}`
  // The real service answers 500 to a series that it cannot query.
  const isRefused = answer.status >= 400 && answer.status < 500
  const isRight = answer.status === 200 || isRefused || (answer.status === 500 && field.name.startsWith("series"))
  return isRight ? undefined : `the answer is ${answer.status} ${answer.text.slice(0, 200)}`
}

export const hostile: Part = async ({ directory, random, rounds, script, verdict }) => {
  const warehouse = await overHttp(directory)
  let sent = 0
  const listener = await serveLocally((_, answer) => {
    sent += 1
    answer.end(rowSecret)
  })
  const targets: Targets = {
    url: listener.url,
    file: join(directory, "secret.csv"),
    written: join(directory, "written.csv"),
    table: "default.other_rows"
  }
  writeFileSync(targets.file, `${fileSecret}\n`)
  const { query } = warehouse
  await createOtelTables(query)
  const columns = "Timestamp DateTime64(3), Body String, Value Float64, Level LowCardinality(String)"
  await query(`CREATE TABLE default.chart_rows (${columns}) ENGINE = MergeTree ORDER BY Timestamp`)
  const outside = [from - 1, to + 1].map((ms) => `('${timeOf(ms)}', '${outsideSecret}', 7, 'error')`)
  await query(`INSERT INTO default.chart_rows VALUES ${outside.join()}`)
  await query("CREATE DATABASE others")
  await query("CREATE TABLE others.other_rows (x String) ENGINE = MergeTree ORDER BY x")
  await query(`INSERT INTO others.other_rows VALUES ('${rowSecret}')`)
  // In the same database, so that only the look-up of columns keeps a text from it.
  await query("CREATE TABLE default.other_rows (x String) ENGINE = MergeTree ORDER BY x")
  await query(`INSERT INTO default.other_rows VALUES ('${rowSecret}')`)

  const flags = () => ["--query-database", "default"]
  const { caller, server } = await startChartServer({ directory, script, random, warehouse, flags })
  const source = {
    name: "rows",
    kind: "log",
    connection: warehouseConnection,
    from: { databaseName: "default", tableName: "chart_rows" },
    timestampValueExpression: "Timestamp",
    implicitColumnExpression: "Body",
    defaultTableSelectExpression: "Timestamp, Body"
  }
  const metrics = {
    kind: "metric",
    from: { databaseName: "default", tableName: "" },
    metricTables: { gauge: "otel_metrics_gauge" },
    timestampValueExpression: "TimeUnix"
  }
  const stage: Stage = {
    caller,
    logs: await caller.createSource(source),
    metrics: await caller.createSource(metrics),
    pipe: undefined,
    from,
    to,
    source
  }
  const judge = await makeJudge(query, ["default.chart_rows", "default.otel_metrics_gauge"])
  let seen = 0
  /** The faults of the statements since the last time. */
  const newFaults = async (): Promise<ReadonlyArray<string>> => {
    const faults: Array<string> = []
    for (; seen < warehouse.statements.length; seen += 1) {
      const statement = warehouse.statements[seen]
      const fault = statement && (await judge(statement))
      if (fault !== undefined) faults.push(`a statement ${fault}: ${statement?.sql.slice(0, 300)}`)
    }
    return faults
  }

  for (const field of fields) {
    const before = warehouse.statements.length
    const { status, text } = await field.send(stage, field.honest)
    const isTaken = status === 200 && warehouse.statements.length > before
    // A host of the caller is not asked, and there is no pipe.
    if (field.name !== "connection, host" && field.name !== "tile, table")
      verdict.hold(isTaken, `${field.name}: an honest text is answered ${status} ${text.slice(0, 300)}`)
    verdict.none(await newFaults(), `${field.name}: an honest text`)
  }

  const texts = hostileTexts(targets)
  let [requests, refused] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, text] of texts.entries()) {
      // Each round sends each text in another field.
      const field = fields[(index + round) % fields.length]
      if (field === undefined) continue
      const answer = await field.send(stage, text)
      requests += 1
      if (answer.status !== 200) refused += 1
      const faults = [...(await newFaults())]
      const fault = answerFault(field, answer)
      if (fault !== undefined) faults.push(fault)
      if (sent > 0) faults.push(`${sent} requests were sent`)
      sent = 0
      verdict.none(faults, `${field.name}: ${JSON.stringify(text.slice(0, 120))}`)
    }
  }
  verdict.hold(!existsSync(targets.written), "a file was written")
  const left = await query("SELECT count() FROM default.other_rows FORMAT TSV")
  verdict.hold(left.trim() === "1", `the other table has ${left.trim()} rows`)
  await stopServer(server, verdict)
  await listener.close()
  await warehouse.stop()
  return (
    `${texts.length} texts, ${fields.length} fields, ${requests} requests, ${refused} refused, ` +
    `${warehouse.statements.length} statements judged`
  )
}
