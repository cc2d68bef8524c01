import { startStorage } from "@headgate/harness/ObjectStorage"
import { objectStorageRequest, rowsTable } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import type { MovedSource, Query } from "./MovedSource.ts"

const parts = 8
const rowsEach = 20_000
/** Each fourth object has bad rows. */
const badLines = '{"n":-1,"text":"bad"}\n{"n":\n'
const badRows = (part: number) => (part % 4 === 1 ? 2 : 0)

const answered = async (request: Promise<Response>): Promise<void> => {
  const response = await request
  if (!response.ok) throw new Error(`the storage answered ${response.status}: ${await response.text()}`)
}

/** A storage of objects, and for each round a bucket that grows: `count = uniqExact = produced`. It ends with the scope. */
export const objectStorage = Effect.map(startStorage, ({ url }): MovedSource => ({
  begin: async (_, round) => {
    const bucket = `${url}/round-${round}`
    await answered(fetch(bucket, { method: "PUT" }))
    let produced = 0
    let producedBad = 0
    const arrived = async (query: Query, database: string) => Number(await query(`SELECT count() FROM ${database}.t`))
    return {
      parts,
      rows: () => produced,
      arrived,
      request: (database) => {
        const request = objectStorageRequest(`${bucket}/rows/*.json`, database, { isContinuous: true })
        // Several partitions, each of which is moved by itself.
        return { ...request, destination: rowsTable(database, { partitionBy: "n % 3" }) }
      },
      produce: async (part) => {
        const lines = Array.from(
          { length: rowsEach },
          (_, index) => `{"n":${produced + index},"text":"row ${produced + index}"}\n`
        )
        // Keys are read in their order.
        if (badRows(part) > 0) lines.splice(rowsEach / 2, 0, badLines)
        const key = `rows/${String(part).padStart(6, "0")}.json`
        await answered(fetch(`${bucket}/${key}`, { method: "PUT", body: lines.join("") }))
        produced += rowsEach
        producedBad += badRows(part)
      },
      isComplete: async (query, database) => (await arrived(query, database)) >= produced,
      faults: async (query, database) => {
        const [count, unique] = (await query(`SELECT count(), uniqExact(n) FROM ${database}.t`)).trim().split("\t")
        const bad = (
          await query(`SELECT count(), uniqExact(range_to, range_row) FROM ${database}.t_pipe_errors`)
        ).trim()
        const left = (await query(`SELECT count() FROM system.tables WHERE name LIKE 'headgate_stage_%'`)).trim()
        return [
          ...(Number(unique) === produced ? [] : [`${produced - Number(unique)} of ${produced} rows lost`]),
          ...(count === unique ? [] : [`${Number(count) - Number(unique)} rows doubled`]),
          ...(bad === `${producedBad}\t${producedBad}`
            ? []
            : [`${bad.replace("\t", " bad rows, at ")} places, of ${producedBad}`]),
          ...(left === "0" ? [] : [`${left} staging tables left`])
        ]
      }
    }
  }
}))
