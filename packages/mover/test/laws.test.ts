import * as Effect from "effect/Effect"
import {
  changeSourceLaws,
  historyLaws,
  lawPipeId,
  leaseLaws,
  ledgerLaws,
  objectSourceLaws,
  otherPipeId,
  sourceLaws,
  stagingLaws,
  versionedTablesLaws,
  warehouseLaws
} from "../src/laws/index.ts"
import { MemoryHistory, MemoryLeases, MemoryLedger, MemoryVersionedTables } from "../src/memory/index.ts"
import { memoryChangeSource } from "./memoryChangeSource.ts"
import { memoryObjects } from "./memoryObjects.ts"
import { memorySource } from "./memorySource.ts"
import { memoryStaging, memoryWarehouse } from "./memoryWarehouse.ts"

ledgerLaws({ name: "memory", make: Effect.sync(MemoryLedger.make) })
leaseLaws({
  name: "memory",
  make: (leaseTime) =>
    Effect.sync(() => ({
      leases: MemoryLeases.make({ leaseTime, isStored: (id) => id === lawPipeId || id === otherPipeId })
    }))
})
historyLaws({
  name: "memory",
  make: Effect.sync(() => {
    const { ledger, totals } = MemoryLedger.make()
    return { ledger, history: MemoryHistory.make(totals) }
  }),
  runs: 60
})
sourceLaws({ name: "memory", make: memorySource })
objectSourceLaws({ name: "memory", make: memoryObjects })
warehouseLaws({ name: "memory", make: memoryWarehouse() })
stagingLaws({ name: "memory", make: memoryStaging() })
versionedTablesLaws({ name: "memory", make: Effect.sync(MemoryVersionedTables.make) })
changeSourceLaws({ name: "memory", make: memoryChangeSource })
