import * as Effect from "effect/Effect"
import { ledgerLaws, sourceLaws, warehouseLaws } from "../src/laws/index.ts"
import { MemoryLedger } from "../src/memory/index.ts"
import { memorySource } from "./memorySource.ts"
import { memoryWarehouse } from "./memoryWarehouse.ts"

ledgerLaws({ name: "memory", make: Effect.sync(MemoryLedger.make) })
sourceLaws({ name: "memory", make: memorySource })
warehouseLaws({ name: "memory", make: memoryWarehouse() })
