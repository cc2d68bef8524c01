import { exampleIds } from "./ids.ts"

const kinesis = {
  format: "JSONEachRow",
  streamName: "clicks",
  region: "eu-central-1",
  iteratorType: "LATEST",
  authentication: "IAM_USER"
}

const destination = {
  database: "analytics",
  table: "clicks",
  managedTable: true,
  columns: [
    { name: "id", type: "String" },
    { name: "at", type: "DateTime64(3)" }
  ],
  tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["at"] }
}

const pipeRequest = {
  name: "clicks",
  source: { kinesis: { ...kinesis, accessKey: { accessKeyId: "AKIAEXAMPLE", secretKey: "<secret key>" } } },
  destination,
  fieldMappings: [{ sourceField: "click_id", destinationField: "id" }],
  settings: { db_max_threads: 8, streaming_max_insert_wait_ms: 5000 },
  scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 }
}

const pipe = {
  id: exampleIds.pipeId,
  serviceId: exampleIds.serviceId,
  ...pipeRequest,
  source: { kinesis },
  state: "Running",
  createdAt: "2026-03-02T08:15:30Z",
  updatedAt: "2026-10-18T17:42:05.250Z"
}

/** The status of a pipe that moves rows. */
const status = {
  state: "Degraded",
  message: "the stream does not answer",
  since: "2026-10-18T17:42:05.250Z",
  next: null,
  due: null,
  simulated: false,
  warehouse: "*",
  guarantee: "exactly once",
  mover: "host-1:4711",
  rows: 990,
  bytes: 65536,
  rowsPerSecond: 120,
  bytesPerSecond: 8192,
  lag: 10,
  errors: 1,
  unknownFields: [{ name: "note", rows: 3 }],
  skippedKeys: 0,
  rejectedObjects: { count: 1, newest: ["logs/large.json"] },
  emptyObjects: { count: 0, newest: [] },
  listSeconds: 0.2,
  nextList: "2026-10-18T17:42:35.250Z",
  retainedLogBytes: 16_777_216,
  warnings: ["column note of orders is not copied"]
}

/** Examples of the operations on pipes. */
export const pipeExamples = {
  list: { success: [pipe] },
  get: { success: pipe },
  create: { payload: pipeRequest, success: { ...pipe, state: "Provisioning" } },
  update: { payload: { name: "clicks", source: { kinesis: { useEnhancedFanOut: true } } }, success: pipe },
  delete: {},
  setState: { payload: { command: "stop" }, success: { ...pipe, state: "Stopping" } },
  resume: { payload: { from: "warehouse" }, success: { ...pipe, state: "Provisioning" } },
  adopt: { success: { ...pipe, state: "Provisioning" } },
  scale: { payload: pipe.scaling, success: pipe },
  settings: { success: pipe.settings },
  updateSettings: { payload: pipe.settings, success: pipe.settings },
  discoverSchema: {
    payload: { source: pipeRequest.source },
    success: {
      fields: [
        { name: "click_id", type: "String", optional: false },
        { name: "at", type: "DateTime64(3)", optional: false }
      ],
      samples: [["c-1", "2026-01-15 09:12:00.000"]],
      meta: { format: "JSONEachRow" }
    }
  },
  status: { success: status },
  statuses: { success: [{ id: pipe.id, ...status }] },
  events: {
    payload: { before: "18", limit: "2" },
    success: [
      {
        position: "17",
        at: "2026-10-18T17:42:05.250Z",
        from: "Running",
        to: "Degraded",
        message: "the stream does not answer",
        by: "mover",
        key: null,
        mover: "host-1:4711"
      },
      {
        position: "16",
        at: "2026-10-18T17:40:11.100Z",
        from: "Stopped",
        to: "Provisioning",
        message: null,
        by: "caller",
        key: { id: exampleIds.keyId, name: "deploy" },
        mover: null
      }
    ]
  },
  errors: {
    payload: { before: "1792345325250-1234", limit: "1" },
    success: [
      {
        position: "1792345325249-18012345678901234567",
        at: "2026-10-18T17:42:05.249Z",
        table: "clicks",
        source: "clicks",
        partition: "shardId-000000000000",
        from: "4960",
        to: "4990",
        row: 3,
        error: "click_id: Expected a number",
        bytes: 18,
        isCut: false,
        message: '{"click_id":"one"}',
        messageBase64: null
      }
    ]
  },
  history: {
    payload: { from: "2026-10-18T17:40:00Z", to: "2026-10-18T17:42:00Z", step: "1m" },
    success: {
      from: "2026-10-18T17:40:00.000Z",
      to: "2026-10-18T17:42:00.000Z",
      stepSeconds: 60,
      points: [
        { at: "2026-10-18T17:40:00.000Z", rows: 51200, bytes: 9830400, errors: 3, lag: 1200, state: "Running" },
        { at: "2026-10-18T17:41:00.000Z", rows: 0, bytes: 0, errors: 0, lag: null, state: "Degraded" }
      ]
    }
  },
  context: { success: { region: "eu-central-1" } }
}
