import { objectStorageRequest, rowsTable, sourcePassword } from "@headgate/harness/pipeRequests"
import { startStorageDouble } from "@headgate/harness/StorageDouble"
import * as Effect from "effect/Effect"
import { setTimeout as sleep } from "node:timers/promises"
import type { MovedSource, Query } from "./MovedSource.ts"
import { makeObjects } from "./objectRows.ts"

const parts = 4
/** Objects of three rows that are there when the pipe is created, as is one that changes all the time. */
const first = 100
/** The rows of the objects of a part, in this order. */
const sizes = [3_000, 300, 300, 20] as const
/**
 * After so many parts one request fails, for a list or an object by turns. A share of all requests would fail each attempt as soon as a
 * range has some hundred objects.
 */
const partsPerFailure = 6
/** In milliseconds. A pipe that is behind gets more work ever more slowly, and not ever more work. */
const pausePerPart = 25
const key = { accessKeyId: "the-id-of-the-key", secretKey: sourcePassword }

/**
 * A storage that answers with errors and cuts its answers, and for each round a bucket that grows: its keys are UUIDs, objects are replaced
 * while the pipe reads them, and one of them changes with each list. One version of each must be in the table, whole. It ends with the
 * scope.
 */
export const objectStorage = Effect.map(startStorageDouble({ key, keysPerList: 200 }), (storage): MovedSource => ({
  begin: async (random, round) => {
    const bucket = `round-${round}`
    const objects = makeObjects(random)
    let isCalm = false
    /** What fails next. */
    let failing: "list" | "object" | undefined
    const put = (object: string, good: number, rejected = 0) =>
      storage.put(`${bucket}/${object}`, objects.write(object, good, rejected))
    for (let object = 0; object < first; object += 1) put(`rows/${random.uuid()}.json`, 3)
    const firstRows = objects.written()
    let heldUp = 0
    const restless = `rows/${random.uuid()}.json`
    put(restless, 10)
    storage.failBy(({ method, query }) => {
      const isList = query.get("list-type") === "2"
      if (isCalm) return undefined
      // What a list has is not what is there when it is read or compared.
      if (isList) setImmediate(() => isCalm || put(restless, 10))
      if (method === "HEAD" || failing !== (isList ? "list" : "object")) return undefined
      failing = undefined
      return random.between(0, 1) === 0 ? { status: 503 } : { cutAfter: 200 }
    })
    const arrived = async (query: Query, database: string) => Number(await query(`SELECT count() FROM ${database}.t`))
    return {
      parts,
      rows: objects.written,
      arrived,
      afterRestore: { from: "warehouse" },
      request: (database) => {
        const request = objectStorageRequest(`${storage.url}/${bucket}/rows/*.json`, database, { isContinuous: true })
        // Several partitions, each of which is moved by itself.
        return { ...request, destination: rowsTable(database, { partitionBy: "n % 3" }) }
      },
      calm: async (query, database, longestWait) => {
        const left = async () =>
          firstRows - Number(await query(`SELECT uniqExact(n) FROM ${database}.t WHERE n <= ${firstRows}`))
        for (const until = performance.now() + longestWait; performance.now() < until; await sleep(100)) {
          heldUp = await left().catch(() => firstRows)
          if (heldUp === 0) break
        }
        isCalm = true
      },
      produce: async (part) => {
        await sleep(part * pausePerPart)
        if (part % partsPerFailure === 0) failing = (part / partsPerFailure) % 2 === 0 ? "list" : "object"
        for (const [index, good] of sizes.entries()) {
          const object = `rows/${random.uuid()}.json`
          // Each is found among all that wait by reading halves of them.
          const rejected = part % 6 === 1 && index === 1 ? 2 : 0
          put(object, good, rejected)
          // Replaced while it may be read, and then also deleted before.
          if (random.between(1, 4) > 1) continue
          await sleep(random.between(0, 300))
          if (random.between(0, 1) === 0) {
            storage.remove(`${bucket}/${object}`)
            await sleep(random.between(0, 300))
          }
          put(object, good, rejected)
        }
      },
      isComplete: async (query, database, status) => {
        if ((await arrived(query, database)) < objects.expected()) return false
        const { skippedKeys } = (await status()) ?? {}
        return skippedKeys === (await objects.changed(query, database))
      },
      faults: async (query, database) => [
        ...(heldUp === 0 ? [] : [`${heldUp} rows were held up by an object that changes`]),
        ...(await objects.faults(query, database))
      ]
    }
  }
}))
