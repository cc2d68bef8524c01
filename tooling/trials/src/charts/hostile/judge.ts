// What a statement of charts may be, told from its text alone, as the engine writes it again.
import type { Query } from "../../move/MovedSource.ts"
import type { SeenStatement } from "../StatementFront.ts"

const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** Functions that tell of the machine or of other tables, read, wait or take much memory. None of them is needed. */
const forbidden = [
  "sleep sleepEachRow throwIf hostName fqdn version uptime tcpPort serverTimezone currentUser getSetting getServerSetting",
  "getOSKernelVersion getMacro filesystemAvailable filesystemCapacity serverUUID connectionId addressToLine buildId",
  "joinGet joinGetOrNull dictGet dictGetOrDefault dictHas catboostEvaluate initializeAggregation arrayReduce evalMLMethod",
  "aiGenerate range repeat arrayJoin replicate randomString space leftPad rightPad arrayResize arrayWithConstant",
  "hasColumnInTable formatQuery encrypt sumState groupArrayState"
].flatMap((line) => line.split(" "))

/** The tables that are looked at to find a table, and what runs. */
const lookedAt = ["system.tables", "system.columns", "system.processes"]

/** A statement without what is quoted by `'`. */
const withoutTexts = (sql: string) => sql.replace(/'(?:[^'\\]|\\.|'')*'/gs, "''")

const kinds = /^(?:SELECT|WITH|KILL QUERY|SHOW|EXISTS|DESCRIBE TABLE)\b/

/** Judges statements, each text once. `tables`: those that may be read, as `database.table`. */
export const makeJudge = async (query: Query, tables: ReadonlyArray<string>) => {
  const names = (await query("SELECT name FROM system.table_functions FORMAT TSV")).trim().split("\n")
  const banned = new Set([...names, ...forbidden].map((name) => name.toLowerCase()))
  // They are functions of values, too.
  for (const name of ["values", "null", "numbers", "generate_series", "format", "view"]) banned.delete(name)
  const known = new Set([...tables, ...lookedAt])
  const judged = new Map<string, string | undefined>()

  const tablesIn = (text: string, parameters: SeenStatement["parameters"]) =>
    Array.from(text.matchAll(/\b(?:FROM|JOIN|IN|TABLE)\s+([\w.`{}:"]+)/g), ([, name = ""]) =>
      name
        .replace(/\{(\w+):Identifier\}/g, (_, parameter: string) => parameters[`param_${parameter}`] ?? "?")
        .replace(/[`"]/g, "")
    ).filter((name) => !/^(?:\d|\{)/.test(name))

  const judge = async ({ parameters, sql }: SeenStatement): Promise<string | undefined> => {
    let written: string
    try {
      written = (await query(`SELECT formatQuerySingleLine(${quote(sql)}) FORMAT TSVRaw`)).trim()
    } catch (error) {
      return `is no single statement: ${String(error).slice(0, 200)}`
    }
    const text = withoutTexts(written)
    if (!kinds.test(text)) return "is another kind of statement"
    const called = Array.from(text.matchAll(/([A-Za-z_]\w*)`?\(/g), ([, name = ""]) => name.toLowerCase())
    const wrong = called.find((name) => banned.has(name))
    if (wrong !== undefined) return `calls ${wrong}`
    if (/\bINTO OUTFILE\b|\bUNION DISTINCT\b|\bINTERSECT\b|\bEXCEPT\b/.test(text)) return "has a part of its own"
    if (/\bFROM [\w.`{}:"]+(?: FINAL)?(?: AS \w+)?,/.test(text)) return "joins tables"
    if (parameters["readonly"] === "0" || /\breadonly = 0\b/.test(text)) return "may write"
    const other = tablesIn(text, parameters).find((name) => !known.has(name))
    return other === undefined ? undefined : `reads ${other}`
  }

  return async (statement: SeenStatement): Promise<string | undefined> => {
    // What the server asks of its own user.
    if (statement.sql === "SELECT toString(getSetting('readonly')) FORMAT TSV") return undefined
    const key = JSON.stringify(statement)
    if (!judged.has(key)) judged.set(key, await judge(statement))
    return judged.get(key)
  }
}
