import { type Dialect, renameSetting } from "../Dialect.ts"
import type { Examples } from "../Operation.ts"
import type { pipeOperations } from "./pipeOperations.ts"

const pipeExample = (dialect: Dialect) => ({
  id: "3c7d1a94-5e2f-4b60-9d83-7a1f0c6e2b58",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  name: "clicks",
  state: "Running",
  createdAt: "2026-03-02T08:15:30Z",
  updatedAt: "2026-10-18T17:42:05.250Z",
  destination: { database: "analytics", table: "clicks", managedTable: true },
  scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
  settings: { [renameSetting(dialect, "db_max_threads")]: 8, streaming_max_insert_wait_ms: 5000 },
  source: { kinesis: { streamName: "clicks", region: "eu-central-1", timestamp: 1_769_860_800 } }
})

const kinesis = {
  format: "JSONEachRow",
  streamName: "clicks",
  region: "eu-central-1",
  iteratorType: "LATEST",
  authentication: "IAM_USER"
}
const createExample = {
  name: "clicks",
  source: { kinesis: { ...kinesis, accessKey: { accessKeyId: "AKIAEXAMPLE", secretKey: "<secret>" } } },
  destination: {
    database: "analytics",
    table: "clicks",
    managedTable: true,
    columns: [{ name: "id", type: "String" }]
  }
}

const createdExample = {
  id: "3c7d1a94-5e2f-4b60-9d83-7a1f0c6e2b58",
  serviceId: "8a4b6d2f-91c3-4e57-b0da-6f2c1e9d7b35",
  ...createExample,
  source: { kinesis },
  fieldMappings: [],
  scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  settings: {},
  state: "Provisioning",
  createdAt: "2026-11-22T08:15:30.000Z",
  updatedAt: "2026-11-22T08:15:30.000Z"
}

/** Examples of the pipe operations in a dialect. */
export const pipeExamples = (dialect: Dialect): Examples<ReturnType<typeof pipeOperations>> => {
  const pipe = pipeExample(dialect)
  return {
    list: { success: [pipe] },
    get: { success: pipe },
    create: { payload: createExample, success: createdExample },
    update: {
      payload: { name: "clicks", source: { kinesis: { useEnhancedFanOut: true } } },
      success: pipe
    },
    delete: {},
    setState: { payload: { command: "stop" }, success: { ...pipe, state: "Stopping" } },
    resume: { payload: { from: "warehouse" }, success: { ...pipe, state: "Provisioning" } },
    adopt: { success: { ...pipe, state: "Provisioning" } },
    scale: { payload: { replicas: 2 }, success: pipe },
    settings: { success: pipe.settings },
    updateSettings: { payload: pipe.settings, success: pipe.settings },
    discoverSchema: {
      payload: { source: createExample.source },
      success: {
        fields: [
          { name: "id", type: "String" },
          { name: "timestamp", type: "DateTime64(3)" },
          { name: "data", type: "String" }
        ]
      }
    },
    status: {
      success: {
        state: "Provisioning",
        message: null,
        since: "2026-10-18T17:42:05.250Z",
        next: "Running",
        due: "2026-10-18T17:42:05.750Z",
        simulated: true
      }
    },
    context: { success: {} }
  }
}
