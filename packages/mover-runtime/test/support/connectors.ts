import type { MemoryConnector } from "@headgate/mover/memory"
import type { Connectors } from "../../src/index.ts"

/** The registry of a process whose streams are read from memory. */
export const connectorsOf = (memory: ReturnType<typeof MemoryConnector.make>): Connectors => ({
  kinesis: { load: () => Promise.resolve(memory.connector) }
})
