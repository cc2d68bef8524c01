import * as Effect from "effect/Effect"
import type { LoggedObjects, Warehouse } from "../port/Warehouse.ts"
import { addToLog, emptyLog } from "./addToLog.ts"
import type { MemoryWarehouseData, MemoryWarehouseState } from "./MemoryWarehouseState.ts"

/** How many objects of the log are read at a time. */
const objectsInMemory = 3

const logObjects = (data: MemoryWarehouseData, pipeId: string, { objects, since }: LoggedObjects): void => {
  const before = data.objects.get(pipeId)
  if (before !== undefined && before.since > since) return
  const kept = before?.since === since ? before.objects : []
  const all = new Map([...kept, ...objects].map((object) => [object.key, object]))
  const sorted = Array.from(all.values()).toSorted((one, other) => (one.key < other.key ? -1 : 1))
  data.objects = new Map([...data.objects, [pipeId, { since, objects: sorted }]])
}

/** The methods of a warehouse in memory about its log. */
export const memoryLog = ({ data }: MemoryWarehouseState) =>
  ({
    log: (range, objects) =>
      Effect.sync(() => {
        if (objects !== undefined) logObjects(data, range.pipeId, objects)
        const logged = addToLog(data.logged.get(range.pipeId), range)
        data.logged = new Map([...data.logged, [range.pipeId, logged]])
      }),
    loggedObjects: (pipeId, after) =>
      Effect.sync(() => {
        const { objects = [], since = 0 } = data.objects.get(pipeId) ?? {}
        const following = objects.filter(({ key }) => key > after)
        return { since, objects: following.slice(0, objectsInMemory) }
      }),
    logged: (pipeId) => Effect.sync(() => ({ ...(data.logged.get(pipeId) ?? emptyLog), inserts: data.inserts }))
  }) satisfies Partial<Warehouse["Service"]>
